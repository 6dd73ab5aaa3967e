// The editor: CodeMirror with our language, in a shadow root, where its styles need no exception from
// the policy of the page.

import {
  Compartment, EditorState, EditorView, bracketMatching, highlightActiveLine,
  highlightActiveLineGutter, history, historyKeymap, isolateHistory, keymap, lineNumbers,
  standardKeymap,
} from "../../vendor/codemirror/editor.js";
import { messages, messagesEffect } from "./beside.js";
import { recycle } from "./language.js";
import { nameColours, namesEffect } from "./names.js";

/** @typedef {{from: number, to: number, insert: string}} Edit */

/** An editor of rules, in an element of the page. */
export class Editor {
  /**
   * @param {HTMLElement} host
   * @param {string} text
   * @param {{changed: () => void, fix: (fix: any) => void, keys: Record<string, () => void>}} client
   */
  constructor(host, text, client) {
    this.client = client;
    const root = host.attachShadow({ mode: "open" });
    const bindings = Object.entries(client.keys).map(([key, run]) => ({
      key,
      preventDefault: true,
      run: () => (run(), true),
    }));
    this.diagnostics = [];
    this.extras = new Compartment();
    host.addEventListener("focusin", () => this.complete());
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          keymap.of(bindings),
          this.extras.of([]),
          keymap.of([...historyKeymap, ...standardKeymap]),
          recycle, nameColours, messages, appearance, EditorView.lineWrapping,
          lineNumbers(), history(), bracketMatching(), highlightActiveLine(),
          highlightActiveLineGutter(),
          EditorState.tabSize.of(2),
          EditorView.contentAttributes.of({ "aria-label": "Rules of the game", tabindex: "0" }),
          EditorView.updateListener.of((update) => update.docChanged && client.changed()),
        ],
      }),
    });
  }

  /** The whole text; its lines end with LF. */
  get text() {
    return this.view.state.doc.toString();
  }

  get cursor() {
    return this.view.state.selection.main.head;
  }

  /**
   * Make edits, as one step that can be undone.
   * @param {Edit[]} edits in order
   */
  apply(edits) {
    if (edits.length > 0) this.view.dispatch({ changes: edits, annotations: isolateHistory.of("full") });
  }

  /**
   * Put another text in place of all; this can be undone.
   * @param {string} text
   */
  replace(text) {
    const { length } = this.view.state.doc;
    const changes = { from: 0, to: length, insert: text };
    this.view.dispatch({ changes, selection: { anchor: 0 }, annotations: isolateHistory.of("full") });
  }

  /** Select a stretch of text, show it, and go there. */
  go(from, to = from) {
    const most = this.view.state.doc.length;
    const selection = { anchor: Math.min(from, most), head: Math.min(to, most) };
    const effects = EditorView.scrollIntoView(selection.anchor, { y: "center" });
    this.view.dispatch({ selection, effects });
    this.view.focus();
  }

  /** Go to a place that is counted from 1. */
  goToLine(line, column = 1) {
    const { doc } = this.view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.go(Math.min(found.from + column - 1, found.to), found.to);
  }

  focus() {
    this.view.focus();
  }

  /**
   * Show what was said of the text as it is.
   * @param {any[]} diagnostics
   * @param {{from: number, to: number, is: string}[]} names
   */
  show(diagnostics, names) {
    this.diagnostics = diagnostics;
    this.view.dispatch({ effects: [namesEffect(names), messagesEffect(this.view.state.doc, diagnostics)] });
    if (this.marked) this.mark();
    else if (diagnostics.length > 0) this.complete();
  }

  mark() {
    this.view.dispatch(this.marked(this.view.state, this.diagnostics, this.client.fix));
  }

  /** Load what one needs to write: once, when one goes there or there are problems to show. */
  async complete() {
    if (this.completing) return;
    this.completing = true;
    const before = this.text;
    try {
      const { extras, marked } = await import("./extras.js");
      this.marked = marked;
      this.view.dispatch({ effects: this.extras.reconfigure(extras) });
      if (this.text === before) this.mark();
    } catch {
      this.completing = false; // the next time that one goes there
    }
  }
}

const appearance = EditorView.theme({
  "&": { height: "100%", fontSize: "0.875rem", color: "var(--ink)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--sunken)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunken) 45%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "var(--line)" },
  ".cm-content ::selection": { backgroundColor: "color-mix(in srgb, var(--focus) 30%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--lit) 35%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--lit) 60%, transparent)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "color-mix(in srgb, var(--bad) 35%, transparent)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--sunken)", borderColor: "var(--line)" },
  ".cm-textfield": { color: "var(--ink)", backgroundColor: "var(--surface)", border: "1px solid var(--edge)", padding: "0.3em" },
  ".cm-button": { color: "var(--ink)", background: "var(--surface)", border: "1px solid var(--edge)", padding: "0.3em 0.8em" },
  ".cm-tooltip": {
    maxWidth: "min(36rem, 90vw)", color: "var(--ink)", backgroundColor: "var(--surface)",
    border: "1px solid var(--edge)", borderRadius: "0.4rem", boxShadow: "var(--shadow-high)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--on-accent)", background: "var(--accent)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8" },
  ".cm-completionInfo": { padding: "0.3rem 0.7rem" },
  ".explanation": { padding: "0.3rem 0.7rem", fontFamily: "var(--sans)" },
  ".explanation p": { margin: "0.4em 0" },
  ".explanation pre": {
    margin: "0.3em 0", padding: "0.4em 0.6em", fontFamily: "var(--mono)", whiteSpace: "pre-wrap",
    backgroundColor: "var(--sunken)", borderRadius: "0.3rem",
  },
  ".explanation code": { fontFamily: "var(--mono)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)" },
  ".cm-diagnosticAction": {
    font: "inherit", color: "var(--on-accent)", backgroundColor: "var(--accent)", padding: "0.15em 0.7em",
  },
  ".cm-diagnosticSource": { color: "var(--soft)", opacity: "1" },
});
