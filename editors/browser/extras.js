// What it takes when one begins to write: search, completion, and messages in the text.
export { hoverTooltip } from "@codemirror/view";
export { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
export { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
export { autocompletion, closeBrackets, closeBracketsKeymap, snippet } from "@codemirror/autocomplete";
