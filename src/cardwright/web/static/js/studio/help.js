// The keys of the studio, and what the word at the cursor means.

import { ask } from "../api.js";
import { html, useEffect, useRef, useState } from "../dom.js";
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

/** @param {{shown: boolean, explanation: string | null}} props */
export function Help({ shown, explanation }) {
  return html`<section aria-live="polite">
      ${explanation !== null && html`<h3>The word at the cursor</h3><${Markdown} text=${explanation || "There is nothing to explain here."} />`}
    </section>
    <${Guide} shown=${shown} />
    <h3>Keys</h3>
    <dl class="keys">
      ${KEYS.map(
        ([keys, words]) => html`<dt key=${words}>${keys.map((key) => html`<kbd key=${key}>${key}</kbd> `)}</dt>
          <dd>${words}</dd>`,
      )}
    </dl>
    <p class="soft small">On a Mac, the command key does what Ctrl does here.</p>`;
}

/** How rules are built, and every form of the language with an example. */
function Guide({ shown }) {
  const [parts, setParts] = useState(null);
  const [search, setSearch] = useState("");
  useEffect(() => {
    if (shown && !parts) ask("/api/studio/language").then((found) => setParts(found.parts), () => undefined);
  }, [shown]);
  const wanted = search.trim().toLowerCase();
  const fits = ({ pattern, words }) => `${pattern} ${words}`.toLowerCase().includes(wanted);
  const found = (parts ?? []).map((part) => ({ ...part, forms: part.forms.filter(fits) })).filter(({ forms }) => forms.length > 0);
  return html`<h3>How rules are written</h3>
    <p>
      Rules are nested brackets: a word that says what is done, then what it is done with. A <code>game</code> has a <code>setup</code> with
      the players and the cards, then blocks (<code>do</code>) and stages (<code>stage</code>) in order of play, and at last${" "}
      the <code>scoring</code>. In a stage players take turns until its <code>end</code>; a <code>choice</code> is where one of them decides.
    </p>
    <p>
      Cards lie at locations of the table, of players or of teams: everybody sees those of a <code>vloc</code>, only their owner those of${" "}
      an <code>iloc</code>, nobody those of an <code>hloc</code>. Numbers are kept in a <code>sto</code>. Capitals are names of your own;
      those with a <code>'</code> stand for a card, a player or a value.
    </p>
    ${parts &&
    html`<label class="field">Search the forms <input type="search" value=${search} onInput=${(event) => setSearch(event.currentTarget.value)} /></label>
      <p class="unseen" role="status">${wanted && `${found.reduce((sum, { forms }) => sum + forms.length, 0)} forms`}</p>
      ${found.map(
        ({ name, forms }) => html`<details key=${name} open=${wanted !== ""}>
          <summary>${name}</summary>
          <dl class="forms">
            ${forms.map(
              ({ pattern, words, example }) => html`<dt key=${pattern}><code>${pattern}</code></dt>
                <dd>${words} <code>${example}</code></dd>`,
            )}
          </dl>
        </details>`,
      )}`}`;
}

function Markdown({ text }) {
  const box = useRef(null);
  useEffect(() => box.current.replaceChildren(rendered(text)), [text]);
  return html`<div ref=${box} class="explanation"></div>`;
}
