// The connection of a page that needs no server: facts about games are files, and a worker answers everything else.

import { ApiError } from "../api.js";

/** Requests whose answers lie in files, made when the page was: of it, and of games with their usual settings. */
const FACTS = /^\/api\/page$|^\/api\/games(\/[^/?]+(\/(rules|statistics|flow|flow\.svg))?)?$/;

/** What a page has none of. */
const NONE = { "/api/tables": { tables: [] }, "/api/searches": { searches: [] } };

const PATIENCE = 60_000;
const LOOK = 5_000; /* milliseconds between two looks at whether the worker is stuck */

/**
 * @typedef {{message: any, take: (data: any) => void, follows: boolean}} Client what was sent, and what takes the
 *   answer to it or the events that follow
 */

/**
 * A worker that says nothing for a minute while it is asked something is replaced: rules may never end. Tables are
 * where they were, as they are kept outside it.
 * @param {{worker: () => Worker, facts: (name: string) => Promise<any>, file: (name: string) => string,
 *   ready: (share: number) => void, frame: (frame: HTMLIFrameElement, address: string) => void,
 *   blank: () => Promise<string>}} parts `worker` starts it; `facts` gives a file of facts as JSON, null if there is
 *   none, and `file` the address of one; `ready` is told how much of the worker has come, from 0 to 1
 * @returns {import("../api.js").Connection & {start: () => void}}
 */
export function aloneConnection({ worker, facts, file, ready, frame, blank }) {
  /** @type {Map<number, Client>} */
  const clients = new Map();
  let count = 0;
  /** @type {Worker | null} */
  let running = null;
  let begun = false;
  let heard = 0;
  const started = () => {
    if (running !== null) return running;
    running = worker();
    begun = false;
    running.addEventListener("message", ({ data }) => {
      heard = Date.now();
      if ("ready" in data) {
        begun = data.ready >= 1;
        ready(data.ready);
      } else clients.get(data.id)?.take(data);
    });
    return running;
  };
  const send = (message, take, follows = false) => {
    const id = (count += 1);
    if (![...clients.values()].some((client) => !client.follows)) heard = Date.now();
    clients.set(id, { message, take, follows });
    started().postMessage({ id, ...message });
    return id;
  };
  const replace = (message) => {
    running?.terminate();
    running = null;
    for (const [id, client] of [...clients]) {
      if (client.follows) started().postMessage({ id, ...client.message });
      else client.take({ status: 503, text: JSON.stringify({ error: { code: "stopped", message } }) });
    }
  };
  setInterval(() => {
    const all = [...clients.values()];
    const asked = all.some((client) => !client.follows) && !all.some((client) => client.message.run);
    if (begun && asked && Date.now() - heard > PATIENCE) replace(STUCK);
  }, LOOK);
  const answered = (method, address, body, signal) =>
    new Promise((resolve, reject) => {
      const id = send({ ask: [method, address, body] }, ({ status, text }) => {
        clients.delete(id);
        if (status >= 200 && status < 300) resolve(text);
        else reject(errorOf(status, text));
      });
      signal?.addEventListener("abort", () => {
        clients.delete(id);
        reject(signal.reason);
      });
    });
  return {
    async ask(address, { method, body, signal }) {
      if (body === undefined && address in NONE) return NONE[address];
      const known = body === undefined && FACTS.test(address) ? await facts(factsFile(address)) : null;
      if (known !== null) return known;
      const how = method ?? (body === undefined ? "GET" : "POST");
      return JSON.parse(await answered(how, address, body && JSON.stringify(body), signal));
    },
    follow(address, { message, state, since }) {
      const follow = [address, since];
      const take = (data) => {
        if (data.event) {
          [follow[1]] = data.event;
          state(true);
          message(JSON.parse(data.event[1]), data.event[0]);
        } else {
          clients.delete(id);
          if (data.status !== 200) state(false, errorOf(data.status, data.text));
        }
      };
      const id = send({ follow }, take, true);
      return () => {
        clients.delete(id);
        started().postMessage({ id, end: true });
      };
    },
    async run(source, columns, files, told) {
      const { status, text } = await new Promise((resolve) => {
        const id = send({ run: [source, columns, files] }, (data) => {
          if (data.said) return told(...data.said);
          clients.delete(id);
          return resolve(data);
        });
      });
      if (status !== 200) throw errorOf(status, text);
      return JSON.parse(text);
    },
    stop: () => replace("this was stopped"),
    async file(address) {
      const name = factsFile(address);
      if ((await facts(`${name.slice(0, -ENDING.length)}.json`)) !== null) return file(name);
      return URL.createObjectURL(new Blob([await answered("GET", address)], { type: "image/svg+xml" }));
    },
    frame,
    blank,
    start: () => void started(),
  };
}

const STUCK = "this took longer than a minute, and was stopped; tables are kept";

/** How addresses of pictures end, each of which stands beside its words. */
const ENDING = ".svg";

/** @param {string} address @returns {string} where the answer lies */
function factsFile(address) {
  const name = address.slice("/api/".length);
  return name.endsWith(ENDING) ? name : `${name}.json`;
}

function errorOf(status, text) {
  try {
    const { error } = JSON.parse(text);
    return new ApiError(status, error.code, error.message, error.place);
  } catch {
    return new ApiError(status, "error", `Python could not answer: ${text}`);
  }
}
