// RECYCLE as the editor reads it: words by class, brackets, and how a new line is indented.
// What a word means is known to the server alone; this is for colours at once.

import {
  HighlightStyle, StreamLanguage, indentService, indentUnit, syntaxHighlighting, tags,
} from "../../vendor/codemirror/editor.js";
import { ACTIONS, FRAME, KINDS, OPERATORS, OWNERS, VALUES } from "./words.js";

const INDENT = 2;

const CLASSES = [[KINDS, "kind"], [FRAME, "frame"], [ACTIONS, "action"], [OWNERS, "owner"], [VALUES, "value"]];
const CLASS_OF = new Map(CLASSES.flatMap(([words, name]) => [...words].map((word) => [word, name])));

const language = StreamLanguage.define({
  name: "recycle",
  languageData: { commentTokens: { line: ";;" }, closeBrackets: { brackets: ["("] } },
  tokenTable: {
    comment: tags.lineComment, variable: tags.variableName, name: tags.constant(tags.name),
    number: tags.number, kind: tags.typeName, frame: tags.controlKeyword, action: tags.keyword,
    owner: tags.self, value: tags.function(tags.name), operator: tags.operator, unknown: tags.invalid,
  },
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/;;.*/)) return "comment";
    if (stream.match(/'[A-Z]\w*/)) return "variable";
    if (stream.match(/[A-Z]\w*/)) return "name";
    if (stream.match(/\d+\b/)) return "number";
    const word = stream.match(/[a-z]\w*/);
    if (word) return CLASS_OF.get(word[0]) ?? "unknown";
    for (const operator of OPERATORS) if (stream.match(operator)) return "operator";
    stream.next();
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.lineComment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.variableName, color: "var(--code-variable)" },
  { tag: tags.constant(tags.name), color: "var(--code-name)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.typeName, color: "var(--code-kind)" },
  { tag: tags.controlKeyword, color: "var(--code-frame)", fontWeight: "600" },
  { tag: tags.keyword, color: "var(--code-action)", fontWeight: "600" },
  { tag: tags.self, color: "var(--code-owner)" },
  { tag: tags.function(tags.name), color: "var(--code-value)" },
  { tag: tags.operator, color: "var(--code-value)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

/** What the editor is given for the language. */
export const recycle = [
  language,
  syntaxHighlighting(colours),
  indentUnit.of(" ".repeat(INDENT)),
  indentService.of((context, place) => indentation(context.state.sliceDoc(0, place))),
];

/**
 * @param {string} before all text before a new line
 * @returns {number} its indentation: two more than the line of the bracket that is open there
 */
export function indentation(before) {
  const open = [];
  const pieces = before.matchAll(/;;.*|[()]/g);
  for (const piece of pieces) {
    if (piece[0] === "(") open.push(piece.index);
    else if (piece[0] === ")") open.pop();
  }
  if (open.length === 0) return 0;
  const line = before.slice(before.lastIndexOf("\n", open.at(-1)) + 1);
  return /^ */.exec(line)[0].length + INDENT;
}
