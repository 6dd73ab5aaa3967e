// What the editor has once one begins to write: completion, explanations, search, messages in the text.

import {
  closeBrackets, closeBracketsKeymap, highlightSelectionMatches, lintGutter, nextDiagnostic,
  previousDiagnostic, search, searchKeymap, setDiagnostics,
} from "../../vendor/codemirror/extras.js";
import { keymap } from "../../vendor/codemirror/editor.js";
import { assistance } from "./assistance.js";

const SEVERITIES = { error: "error", warning: "warning", note: "info" };

/** The extensions of the editor. */
export const extras = [
  keymap.of([
    { key: "F8", run: nextDiagnostic },
    { key: "Shift-F8", run: previousDiagnostic },
    ...closeBracketsKeymap, ...searchKeymap,
  ]),
  assistance, closeBrackets(), highlightSelectionMatches(), lintGutter(), search({ top: true }),
];

/**
 * @param {import("@codemirror/state").EditorState} state
 * @param {any[]} diagnostics of the text as it is
 * @param {(fix: any) => void} fix
 * @returns {object} the transaction that shows them
 */
export function marked(state, diagnostics, fix) {
  const shown = diagnostics.map((one) => ({
    from: one.from,
    to: one.to,
    severity: SEVERITIES[one.severity],
    source: one.code,
    message: one.message,
    renderMessage: () => said(one),
    actions: one.fixes.map((each) => ({ name: each.title, apply: () => fix(each) })),
  }));
  return setDiagnostics(state, shown);
}

function said(diagnostic) {
  const box = document.createElement("div");
  const { message, expected, help } = diagnostic;
  for (const words of [message, expected && `expected: ${expected}`, help && `help: ${help}`]) {
    if (!words) continue;
    const line = document.createElement("div");
    line.textContent = words;
    box.append(line);
  }
  return box;
}
