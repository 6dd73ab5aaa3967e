// Values in links: compressed behind the #, so that no server is told of them, and read as what a stranger wrote.

import { CopyButton, html } from "./dom.js";
import { addressLetters } from "./letters.js";
import { wholeLink } from "./place.js";

const MOST = 2 ** 20; /* characters of a value; a link may be made to unpack to far more */

/**
 * @param {string} address @param {string} key @param {any} value
 * @returns {Promise<string>} a link to an address of the site, with a value for its page
 */
export async function linkWith(address, key, value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const letters = addressLetters(new Uint8Array(await new Response(stream).arrayBuffer()));
  return wholeLink(`${address}#${key}=${letters}`);
}

/**
 * @param {string} hash @param {string} key
 * @returns {Promise<any>} the value in a link, which may be anything; undefined if there is none
 * @throws {Error} if it is not whole, or too long
 */
export async function valueIn(hash, key) {
  const begin = `#${key}=`;
  if (!hash.startsWith(begin)) return undefined;
  const letters = atob(hash.slice(begin.length).replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(await unpacked(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
}

async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST) throw new Error("too long");
  }
}

/** A link to be copied; that of a page that is a file on a disk leads nowhere for others. @param {{link: string}} props */
export function LinkField({ link }) {
  const file = location.protocol === "file:";
  const text = file ? new URL(link).hash : link;
  return html`<p class="row copied">
      <input aria-label="The link" readonly value=${text} onFocus=${(event) => event.currentTarget.select()} />
      <${CopyButton} text=${text} label="the link" />
    </p>
    ${file && html`<p class="soft">This page is a file: who has it too opens it, and writes this behind its address.</p>`}`;
}
