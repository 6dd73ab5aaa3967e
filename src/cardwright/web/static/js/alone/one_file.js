// The page that is one file: its facts and Python are in elements of its document, packed, and a frame is written.

import { aloneConnection } from "./connection.js";
import { packed } from "./packing.js";
import { open, shared } from "./shell.js";

const CONTENTS = "page.json"; /* what is told of the page, and not of games */
const { siteFile } = globalThis;
const bar = document.getElementById("ready");

/** @type {Record<string, string> | null} */
let facts = null;
const addresses = {};

function begun() {
  const come = siteFile.json("facts").then((all) => (facts = all));
  const made = aloneConnection({
    worker,
    facts: async (name) => {
      await come;
      return name in facts ? JSON.parse(facts[name]) : null;
    },
    file: (name) => (addresses[name] ??= URL.createObjectURL(new Blob([facts[name] ?? ""], { type: "image/svg+xml" }))),
    ready: (share) => {
      bar.hidden = share >= 1;
      bar.value = share;
    },
    frame: write,
    blank: async () => {
      await come;
      const copy = blank();
      const told = JSON.stringify({ [CONTENTS]: facts[CONTENTS] });
      copy.querySelector("#facts").textContent = await packed(new Blob([told]));
      return `<!doctype html>\n${copy.outerHTML}\n`;
    },
  });
  made.start(); // while people read
  return made;
}

function worker() {
  const made = new Worker(URL.createObjectURL(new Blob([siteFile.script], { type: "text/javascript" })));
  const elements = [...document.querySelectorAll("[data-python]")];
  const packed = Object.fromEntries(elements.map((element) => [element.dataset.python, element.textContent]));
  const begin = JSON.parse(document.getElementById("python").textContent);
  const { modules, script } = siteFile;
  made.postMessage({ begin: { ...begin, modules, packed, script } });
  return made;
}

/** @returns {HTMLElement} the document as it is in the file */
function blank() {
  const copy = siteFile.document.cloneNode(true);
  delete copy.dataset.theme;
  return copy;
}

/** Show an address in a frame: a document of this one's origin, which no address has. */
function write(frame, address) {
  const copy = blank();
  for (const element of copy.querySelectorAll('[type="text/plain"]')) element.remove();
  copy.dataset.home = address;
  const inner = frame.contentDocument;
  inner.open();
  inner.write(`<!doctype html>${copy.outerHTML}`);
  inner.close();
}

open(shared(begun));
