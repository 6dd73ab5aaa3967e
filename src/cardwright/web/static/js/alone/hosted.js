// The page of a folder that some host gives out: facts are files beside it, and so is Python.

import { aloneConnection } from "./connection.js";
import { place, wholeLink } from "../place.js";
import { LATER } from "./memory.js";
import { packed } from "./packing.js";
import { open, shared } from "./shell.js";

const bar = document.getElementById("ready");
const begin = JSON.parse(document.getElementById("python").textContent);
const address = (path) => new URL(path, document.baseURI).href;

function worker() {
  const made = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const game = /^\/games\/([^/]+)$/.exec(place().pathname)?.[1];
  made.postMessage({ begin: { python: address("python/"), game, ...begin } });
  return made;
}

async function facts(name) {
  const answer = await fetch(address(`facts/${name}`)).catch(() => null); // also where the network is cut
  return answer?.ok ? answer.json() : null;
}

function ready(share) {
  bar.hidden = share >= 1;
  bar.value = share;
  if (share >= 1) setTimeout(keepOffline, LATER);
}

/** By now the browser has all files at hand, which are not fetched twice. */
function keepOffline() {
  navigator.serviceWorker?.register(address("offline.js")).catch(() => undefined);
}

/** The document of a page in one file: the files of Python are packed here, and put into it. */
async function blank() {
  const content = async (path) => {
    const answer = await fetch(address(path));
    if (!answer.ok) throw new Error(`${path} is missing (${answer.status})`);
    return answer;
  };
  let document = await (await content("blank.html")).text();
  for (const [empty, name] of document.matchAll(/data-python="([^"]+)">/g)) {
    const letters = await packed(await (await content(`python/${name}`)).blob());
    document = document.replace(empty, () => empty + letters);
  }
  return document;
}

function begun() {
  const made = aloneConnection({
    worker,
    facts,
    file: (name) => address(`facts/${name}`),
    ready,
    frame: (frame, at) => (frame.src = wholeLink(at)),
    blank,
  });
  made.start(); // while people read
  return made;
}

open(shared(begun));
