// The colours of names, as the server understood them: they move with the text until it answers anew.

import { Decoration, EditorView } from "../../vendor/codemirror/editor.js";
import { decorations } from "./decorations.js";

const coloured = decorations();

/** What the editor is given for the colours of names. */
export const nameColours = [
  coloured.field,
  EditorView.theme(Object.fromEntries(
    Object.entries({
      constant: "variable", variable: "variable", definition: "value", storage: "storage",
      location: "location", attribute: "kind", value: "name",
    // The words of the grammar have colours of their own, and stand inside.
    }).map(([is, colour]) => [`.name-${is}, .name-${is} span`, { color: `var(--code-${colour})` }]),
  )),
];

/** @param {{from: number, to: number, is: string}[]} names in order */
export function namesEffect(names) {
  return coloured.set(names.map((one) => Decoration.mark({ class: `name-${one.is}` }).range(one.from, one.to)));
}
