// What went wrong with some work: why, and where in the rules if that is known.

import { html } from "../dom.js";

/** How a message begins that is about a place: the name of the rules, line and column. */
const PLACE = /(?:^|: )[^\n:]*:(\d+):(\d+): /;

/**
 * @param {{error: {message: string, place?: {line: number, column: number}},
 *   goToLine: (line: number, column?: number) => void}} props
 */
export function Trouble({ error, goToLine }) {
  const { words, place } = told(error);
  return html`<div class="notice error" role="alert">
    <p>${words}</p>
    ${place &&
    html`<button class="small" onClick=${() => goToLine(place.line, place.column)}>Show line ${place.line}</button>`}
  </div>`;
}

/** The words of an error, and its place, which may be in the words. */
function told({ message, place }) {
  if (place) return { words: message, place };
  const found = PLACE.exec(message);
  if (!found) return { words: message };
  const [whole, line, column] = found;
  const [words] = message.slice(found.index + whole.length).split("\n");
  return { words: `In line ${line}: ${words}`, place: { line: Number(line), column: Number(column) } };
}
