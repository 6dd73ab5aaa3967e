// The conversation with the site: requests with their errors, and streams of events. Usually a server is asked;
// where there is none, what stands for it takes the same requests.

/** An answer that is no success: what went wrong, as the server says it. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 if no answer came
   * @param {string} code
   * @param {string} message
   * @param {{line: number, column: number}} [place] where in the text that was sent something is wrong
   */
  constructor(status, code, message, place) {
    super(message);
    this.status = status;
    this.code = code;
    this.place = place;
  }
}

const UNREACHABLE = "The server cannot be reached. Is it still running?";

/**
 * @typedef {{method?: string, body?: any, signal?: AbortSignal}} Wanted a body is sent as JSON, by POST
 * @typedef {{message: (data: any, id: string) => void, state: (live: boolean, error?: ApiError) => void,
 *   since?: string}} Follower `state` is called when the connection is there, and when it is lost; with an error,
 *   nothing more will come
 * @typedef {{ask: (address: string, wanted: Wanted) => Promise<any>,
 *   follow: (address: string, follower: Follower) => () => void, file: (address: string) => Promise<string>,
 *   frame: (frame: HTMLIFrameElement, address: string) => void, blank: () => Promise<string>}} Connection `file` gives
 *   where a document can be had that `address` names; `frame` shows the page of an address in a frame, and `blank` gives
 *   the document of a page in one file, in which no game of one's own is published yet
 */

/** @type {Connection} */
let connection = {
  ask: askServer,
  follow: followServer,
  file: async (address) => address,
  frame: (frame, address) => (frame.src = address),
  blank: async () => (await answerOf("/api/studio/page", {})).text(),
};

/** Have another connection answer all requests from now on. @param {Connection} other */
export function connect(other) {
  connection = other;
}

/**
 * Ask something. An error is also announced to this window, for a page around it.
 * @param {string} address
 * @param {Wanted} [wanted]
 * @returns {Promise<any>} the JSON of the answer
 * @throws {ApiError}
 */
export async function ask(address, wanted = {}) {
  try {
    return await connection.ask(address, wanted);
  } catch (error) {
    if (error.status > 0) dispatchEvent(new CustomEvent("api-error", { detail: error }));
    throw error;
  }
}

/**
 * Follow a stream of events. A lost connection is taken up again after the last event that came, sooner or later;
 * only an answer that refuses ends it.
 * @param {string} address
 * @param {Follower} follower
 * @returns {() => void} ends it
 */
export function follow(address, follower) {
  return connection.follow(address, follower);
}

/**
 * Run a text of the console, where Python runs in the page.
 * @param {string} source
 * @param {number} columns in which is shown what it says
 * @param {Record<string, string>} files that are written first
 * @param {(text: string, bad: boolean) => void} told gets what it says
 * @returns {Promise<boolean>} whether it wants more lines before it can be run
 * @throws {ApiError} also if it is stopped
 */
export function run(source, columns, files, told) {
  return connection.run(source, columns, files, told);
}

/** Stop what Python does in the page; it begins anew. */
export function stop() {
  connection.stop();
}

/** @param {string} address @returns {Promise<string>} where the document can be had that it names, such as a picture */
export function fileAt(address) {
  return connection.file(address);
}

/** Show the page of an address in a frame. @param {HTMLIFrameElement} frame @param {string} address */
export function showIn(frame, address) {
  connection.frame(frame, address);
}

/** @returns {Promise<string>} the document of a page in one file, to publish a game in it */
export function blankPage() {
  return connection.blank();
}

async function askServer(address, wanted) {
  const answer = await answerOf(address, wanted);
  return answer.status === 204 ? null : answer.json();
}

/** @returns {Promise<Response>} an answer that is a success */
async function answerOf(address, { method, body, signal }) {
  let answer;
  try {
    answer = await fetch(address, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", UNREACHABLE);
  }
  if (!answer.ok) throw await errorOf(answer);
  return answer;
}

/** @param {Response} answer */
async function errorOf(answer) {
  try {
    const { error } = await answer.json();
    return new ApiError(answer.status, error.code, error.message, error.place);
  } catch {
    return new ApiError(answer.status, "error", `The server answered ${answer.status}.`);
  }
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const SILENCE = 40000; /* the server says something every 15 seconds: after this time a connection is dead */

function followServer(address, { message, state, since }) {
  const end = new AbortController();
  let last = since;
  (async () => {
    let wait = FIRST_WAIT;
    while (!end.signal.aborted) {
      try {
        const headers = { Accept: "text/event-stream" };
        if (last !== undefined) headers["Last-Event-ID"] = last;
        const answer = await fetch(address, { headers, cache: "no-store", signal: end.signal });
        if (!answer.ok) {
          const error = await errorOf(answer);
          if (answer.status < 500 && answer.status !== 429) return state(false, error);
          throw error;
        }
        state(true);
        wait = FIRST_WAIT;
        await readEvents(answer.body, (data, id) => {
          if (id !== "") last = id;
          message(JSON.parse(data), id);
        });
      } catch (error) {
        if (end.signal.aborted) return undefined;
        if (!(error instanceof TypeError || error instanceof ApiError)) console.error(error);
      }
      state(false);
      await pause(wait, end.signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
    return undefined;
  })();
  return () => end.abort();
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {(data: string, id: string) => void} take
 */
async function readEvents(stream, take) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let id = "";
  let data = [];
  for (;;) {
    const silence = setTimeout(() => reader.cancel(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) take(data.join("\n"), id);
        data = [];
      } else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      else if (line.startsWith("id:")) id = line.slice(3).trim();
    }
  }
}

/** Wait, but no longer once the browser says that it is online again. */
function pause(time, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, time);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
