// The connection of a page that needs no server: facts about games are files, and a worker answers everything else.

import { ApiError } from "../api.js";

/** Requests whose answers lie in files, made when the page was: of games with their usual settings. */
const FACTS = /^\/api\/games(\/[^/?]+(\/(rules|statistics|flow|flow\.svg))?)?$/;

/** What a page has none of. */
const NONE = { "/api/tables": { tables: [] }, "/api/searches": { searches: [] } };

/**
 * @param {{worker: () => Worker, facts: (name: string) => Promise<any>, file: (name: string) => string,
 *   ready: (share: number) => void}} parts `worker` starts it; `facts` gives a file of facts as JSON, null if there is
 *   none, and `file` the address of one; `ready` is told how much of the worker has come, from 0 to 1
 * @returns {import("../api.js").Connection}
 */
export function aloneConnection({ worker, facts, file, ready }) {
  const clients = new Map();
  let count = 0;
  let running = null;
  const started = () => {
    if (running === null) {
      running = worker();
      running.addEventListener("message", ({ data }) => {
        if ("ready" in data) ready(data.ready);
        else clients.get(data.id)?.(data);
      });
    }
    return running;
  };
  const send = (message, client) => {
    const id = (count += 1);
    clients.set(id, client);
    started().postMessage({ id, ...message });
    return id;
  };
  const answered = (method, address, body, signal) =>
    new Promise((resolve, reject) => {
      const id = send({ ask: [method, address, body] }, ({ status, text }) => {
        clients.delete(id);
        if (status >= 200 && status < 300) resolve(JSON.parse(text));
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
      return answered(method ?? (body === undefined ? "GET" : "POST"), address, body && JSON.stringify(body), signal);
    },
    follow(address, { message, state, since }) {
      const id = send({ follow: [address, since] }, (data) => {
        if (data.event) {
          state(true);
          message(JSON.parse(data.event[1]), data.event[0]);
        } else {
          clients.delete(id);
          if (data.status !== 200) state(false, errorOf(data.status, data.text));
        }
      });
      return () => {
        clients.delete(id);
        started().postMessage({ id, end: true });
      };
    },
    file: (address) => file(factsFile(address)),
    start: started,
  };
}

/** @param {string} address @returns {string} where the answer lies */
function factsFile(address) {
  const name = address.slice("/api/".length);
  return name.endsWith(".svg") ? name : `${name}.json`;
}

function errorOf(status, text) {
  try {
    const { error } = JSON.parse(text);
    return new ApiError(status, error.code, error.message, error.place);
  } catch {
    return new ApiError(status, "error", `Python could not answer: ${text}`);
  }
}
