// A console of Python in the page: what is typed is run by the worker, and nothing else is.

import { html } from "../dom.js";
import { Frame } from "../frame.js";
import { place, rename } from "../place.js";
import { Console } from "./console.js";

const KEY = "#text=";

/** The console; a text in the address is put where one types, to be read and run, or not. */
export function page() {
  const { hash } = place();
  const text = hash.startsWith(KEY) ? decodeURIComponent(hash.slice(KEY.length)) : "";
  if (hash) rename("/console");
  return html`<${Frame} current="/console"><${Console} text=${text} /><//>`;
}
