// What the studio takes of CodeMirror 6 at once: the editor itself, and the colours of a language.
export { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap,
  lineNumbers,
} from "@codemirror/view";
export { history, historyKeymap, isolateHistory, standardKeymap } from "@codemirror/commands";
export {
  HighlightStyle, StreamLanguage, bracketMatching, indentService, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
export { tags } from "@lezer/highlight";
