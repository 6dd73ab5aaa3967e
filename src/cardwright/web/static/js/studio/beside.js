// What the checker says, beside the lines that it is about: the first message of each, until it answers anew.

import { Decoration, EditorView } from "../../vendor/codemirror/editor.js";
import { decorations } from "./decorations.js";

const lines = decorations();

/** What the editor is given for messages; who cannot see them has the list of problems. */
export const messages = [
  lines.field,
  EditorView.theme({
    ".said::after": {
      content: "attr(data-said)", marginLeft: "2ch", fontFamily: "var(--sans)", fontSize: "0.8125rem",
      opacity: "0.9",
    },
    ".said-error::after": { color: "var(--bad)" },
    ".said-warning::after": { color: "var(--code-kind)" },
    ".said-note::after": { color: "var(--soft)" },
  }),
];

/**
 * @param {import("@codemirror/state").Text} doc
 * @param {any[]} diagnostics in order of place
 */
export function messagesEffect(doc, diagnostics) {
  const said = new Map();
  for (const { from, severity, message } of diagnostics) {
    const line = doc.lineAt(Math.min(from, doc.length)).from;
    if (!said.has(line)) said.set(line, { class: `said said-${severity}`, attributes: { "data-said": message } });
  }
  return lines.set([...said].map(([from, shown]) => Decoration.line(shown).range(from)));
}
