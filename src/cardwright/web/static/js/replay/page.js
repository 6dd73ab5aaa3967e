// A game that was played, move by move; without one, the form that takes a saved game.

import { html } from "../dom.js";
import { Frame } from "../frame.js";
import { pathPart } from "../place.js";
import { Replay } from "./replay.js";
import { Upload } from "./upload.js";

/** The replay that the address names. */
export function page() {
  const id = pathPart(1);
  return html`<${Frame} wide=${id !== ""} current=${id === "" ? "/replay" : undefined}>
    ${id === "" ? html`<${Upload} />` : html`<${Replay} id=${id} />`}
  <//>`;
}
