// The colours of names, as the server understood them: they move with the text until it answers anew.

import { Decoration, EditorView, StateEffect, StateField } from "../../vendor/codemirror/editor.js";

/** @type {any} what the names of the text are: [{from, to, is}] */
const setNames = StateEffect.define();

const field = StateField.define({
  create: () => Decoration.none,
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(setNames)) return effect.value;
    return before.map(transaction.changes);
  },
  provide: (self) => EditorView.decorations.from(self),
});

/** What the editor is given for the colours of names. */
export const nameColours = [
  field,
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
  const marks = names.map((one) => Decoration.mark({ class: `name-${one.is}` }).range(one.from, one.to));
  return setNames.of(Decoration.set(marks, true));
}
