// Decorations of the text, which move with it until others are set.

import { Decoration, EditorView, StateEffect, StateField } from "../../vendor/codemirror/editor.js";

/** @returns {{field: any, set: (ranges: any[]) => any}} what the editor is given, and the effect that sets others */
export function decorations() {
  const setting = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update(before, transaction) {
      for (const effect of transaction.effects) if (effect.is(setting)) return effect.value;
      return before.map(transaction.changes);
    },
    provide: (self) => EditorView.decorations.from(self),
  });
  return { field, set: (ranges) => setting.of(Decoration.set(ranges, true)) };
}
