// Rules in a link: compressed behind the #, so that no server is told of them.

import { CopyButton, Dialog, html } from "../dom.js";
import { wholeLink } from "../place.js";

const KEY = "#rules=";
const MOST = 2 ** 20; /* characters of a text; a link may be made to unpack to far more */

/** @param {string} name @param {string} text @returns {Promise<string>} */
export async function sharedLink(name, text) {
  const stream = new Blob([JSON.stringify({ name, text })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return wholeLink(`/studio${KEY}${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`);
}

/** @param {string} hash @returns {Promise<{name: string, source: string} | null>} null if there are no rules in it */
export async function sharedRules(hash) {
  if (!hash.startsWith(KEY)) return null;
  try {
    const letters = atob(hash.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const { name, text } = JSON.parse(await unpacked(bytes));
    return { name: String(name).slice(0, 60) || "rules", source: String(text) };
  } catch {
    throw new Error("There are no whole rules in this link: a part of it is missing.");
  }
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

/** @param {{link: string, close: () => void}} props */
export function ShareDialog({ link, close }) {
  return html`<${Dialog} title="Share these rules" close=${close}>
    <p>
      Who opens this link has a copy of the rules in the studio, to play and to change. They are in the link itself, which
      is ${link.length.toLocaleString("en")} characters long.
    </p>
    <p class="row copied">
      <input aria-label="The link" readonly value=${link} onFocus=${(event) => event.currentTarget.select()} />
      <${CopyButton} text=${link} label="the link" />
    </p>
  <//>`;
}
