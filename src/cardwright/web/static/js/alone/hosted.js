// The page of a folder that some host gives out: facts are files beside it, and so is Python.

import { aloneConnection } from "./connection.js";
import { open } from "./shell.js";

const bar = document.getElementById("ready");
const begin = JSON.parse(document.getElementById("python").textContent);
const address = (path) => new URL(path, document.baseURI).href;

function worker() {
  const made = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  made.postMessage({ begin: { python: address("python/"), ...begin } });
  return made;
}

async function facts(name) {
  const answer = await fetch(address(`facts/${name}`));
  return answer.ok ? answer.json() : null;
}

function ready(share) {
  bar.hidden = share >= 1;
  bar.value = share;
  // By now the browser has all files at hand, which are not fetched twice.
  if (share >= 1) navigator.serviceWorker?.register(address("offline.js")).catch(() => undefined);
}

/** The connection, which tables in frames of this page share. */
globalThis.siteConnection = above() ?? begun();

function above() {
  try {
    return self === top ? undefined : parent.siteConnection;
  } catch {
    return undefined; // it is in a frame of another site
  }
}

function begun() {
  const made = aloneConnection({ worker, facts, file: (name) => address(`facts/${name}`), ready });
  made.start(); // while people read
  return made;
}

open(globalThis.siteConnection);
