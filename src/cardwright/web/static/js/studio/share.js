// Sharing what is written: the rules in a link.

import { Dialog, html } from "../dom.js";
import { LinkField, linkWith, valueIn } from "../link.js";

const KEY = "rules";

/** @param {string} name @param {string} text @returns {Promise<string>} */
export function sharedLink(name, text) {
  return linkWith("/studio", KEY, { name, text });
}

/** @param {string} hash @returns {Promise<{name: string, source: string} | null>} null if there are no rules in it */
export async function sharedRules(hash) {
  try {
    const rules = await valueIn(hash, KEY);
    if (rules === undefined) return null;
    return { name: String(rules.name).slice(0, 60) || "rules", source: String(rules.text) };
  } catch {
    throw new Error("There are no whole rules in this link: a part of it is missing.");
  }
}

/** @param {{link: string, close: () => void}} props */
export function ShareDialog({ link, close }) {
  return html`<${Dialog} title="Share these rules" close=${close}>
    <p>
      Who opens this link has a copy of the rules in the studio, to play and to change. They are in the link itself, which
      is ${link.length.toLocaleString("en")} characters long.
    </p>
    <${LinkField} link=${link} />
    <p>The table beside the rules has a link of its own to the cards that are dealt there, for somebody else to play them.</p>
  <//>`;
}
