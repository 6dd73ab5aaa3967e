// The keys of the studio, and what the word at the cursor means.

import { html, useEffect, useRef } from "../dom.js";
import { rendered } from "./markdown.js";

/** The keys, each with what it does; those in a list are pressed together. */
export const KEYS = [
  [["Ctrl", "Enter"], "play the rules as they are"],
  [["F6"], "go from the editor to the table, and back"],
  [["F8"], "go to the next problem; with Shift to the one before"],
  [["Ctrl", "."], "take the first fix at the cursor"],
  [["F1"], "explain the word at the cursor"],
  [["Ctrl", "Space"], "what can be typed here"],
  [["Shift", "Alt", "F"], "lay the rules out"],
  [["Ctrl", "S"], "save the file, or download it"],
  [["Ctrl", "F"], "search and replace"],
  [["Ctrl", "Z"], "undo, also of loading other rules"],
  [["Tab"], "leaves the editor"],
];

/** @param {{explanation: string | null}} props */
export function Help({ explanation }) {
  return html`<section aria-live="polite">
      ${explanation !== null && html`<h3>The word at the cursor</h3><${Markdown} text=${explanation || "There is nothing to explain here."} />`}
    </section>
    <h3>Keys</h3>
    <dl class="keys">
      ${KEYS.map(
        ([keys, words]) => html`<dt key=${words}>${keys.map((key) => html`<kbd key=${key}>${key}</kbd> `)}</dt>
          <dd>${words}</dd>`,
      )}
    </dl>
    <p class="soft small">On a Mac, the command key does what Ctrl does here.</p>`;
}

function Markdown({ text }) {
  const box = useRef(null);
  useEffect(() => box.current.replaceChildren(rendered(text)), [text]);
  return html`<div ref=${box} class="explanation"></div>`;
}
