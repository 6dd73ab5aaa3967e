// @ts-check
// What the language client and the extension ask of VS Code, without VS Code: documents, commands,
// messages and diagnostics are kept here; providers that are registered can be asked by their name.
"use strict";

const { EventEmitter: NodeEmitter } = require("node:events");
const Module = require("node:module");
const { URI } = require("vscode-uri");

/** An event of VS Code: a function that takes listeners. */
class EventEmitter {
  constructor() {
    this.inner = new NodeEmitter();
    this.event = (/** @type {Function} */ listener, /** @type {unknown} */ self) => {
      const bound = (/** @type {unknown} */ value) => listener.call(self, value);
      this.inner.on("fired", bound);
      return new Disposable(() => this.inner.off("fired", bound));
    };
  }
  /** @param {unknown} value */
  fire(value) {
    this.inner.emit("fired", value);
  }
  dispose() {
    this.inner.removeAllListeners();
  }
}

class Disposable {
  /** @param {() => void} end */
  constructor(end) {
    this.end = end;
  }
  static from(/** @type {Disposable[]} */ ...all) {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose() {
    this.end();
  }
}

class Position {
  /** @param {number} line @param {number} character */
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}

class Range {
  /** @param {any} a @param {any} b @param {number} [c] @param {number} [d] */
  constructor(a, b, c, d) {
    this.start = c === undefined ? a : new Position(a, b);
    this.end = c === undefined ? b : new Position(c, d ?? 0);
  }
}

class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  }
  cancel() {
    this.token.isCancellationRequested = true;
    this.emitter.fire(undefined);
  }
  dispose() {}
}

/** Any class of VS Code that only holds what it is given. */
class Value {
  /** @param {any[]} given */
  constructor(...given) {
    this.given = given;
  }
}

/** A kind of code action, such as `refactor.rewrite`. */
class CodeActionKind {
  /** @param {string} value */
  constructor(value) {
    this.value = value;
  }
  /** @param {string} part */
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
for (const kind of ["Empty", "QuickFix", "Refactor", "RefactorExtract", "RefactorInline", "RefactorRewrite", "Source"]) {
  Object.assign(CodeActionKind, { [kind]: new CodeActionKind(kind) });
}

class Diagnostic {
  /** @param {Range} range @param {string} message @param {number} severity */
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

const nothing = () => new Disposable(() => {});

/** A namespace in which everything that is not said is a function that does nothing. */
function namespace(/** @type {Record<string, any>} */ said) {
  return new Proxy(said, { get: (target, key) => (key in target ? target[String(key)] : nothing) });
}

function vscode() {
  /** @type {Map<string, Function>} */
  const registered = new Map();
  /** @type {Map<string, any>} */
  const diagnostics = new Map();
  /** @type {Map<string, any>} */
  const providers = new Map();
  /** @type {string[]} */
  const shown = [];
  /** @type {Record<string, any>} */
  const settings = {};
  /** @type {any[]} */
  const documents = [];
  const events = { published: new EventEmitter(), opened: new EventEmitter(), changed: new EventEmitter() };
  const languages = new Proxy(/** @type {Record<string, any>} */ ({
    match: (/** @type {any[]} */ selector, /** @type {any} */ document) =>
      selector.some((one) => one.language === document.languageId) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set: (/** @type {any} */ uri, /** @type {any[]} */ found) => {
        diagnostics.set(uri.toString(), found);
        events.published.fire(found);
      },
      clear: () => diagnostics.clear(), delete() {}, dispose() {}, has: () => false, get: () => undefined,
    }),
  }), {
    get: (target, key) => target[String(key)] ?? ((/** @type {unknown} */ _, /** @type {any} */ provider) => {
      providers.set(String(key), provider);
      return nothing();
    }),
  });
  const api = {
    version: "1.91.0",
    EventEmitter, Disposable, Position, Range, CancellationTokenSource, CodeActionKind, Diagnostic, Uri: URI,
    languages,
    commands: namespace({
      registerCommand: (/** @type {string} */ name, /** @type {Function} */ run, /** @type {any} */ self) => {
        registered.set(name, run.bind(self));
        return new Disposable(() => registered.delete(name));
      },
      executeCommand: (/** @type {string} */ name, /** @type {any[]} */ ...args) => registered.get(name)?.(...args),
    }),
    workspace: namespace({
      textDocuments: documents, workspaceFolders: undefined, notebookDocuments: [],
      getConfiguration: () => ({ get: (/** @type {string} */ key, /** @type {any} */ usual) => settings[key] ?? usual }),
      onDidOpenTextDocument: events.opened.event,
      onDidChangeTextDocument: events.changed.event,
      fs: namespace({}),
    }),
    window: namespace({
      activeTextEditor: undefined, visibleTextEditors: [], tabGroups: namespace({ all: [] }),
      createOutputChannel: () => namespace({ append() {}, appendLine() {}, show() {}, dispose() {} }),
      showErrorMessage: async (/** @type {string} */ text) => void shown.push(`error: ${text}`),
      showWarningMessage: async (/** @type {string} */ text) => void shown.push(`warning: ${text}`),
      showInformationMessage: async (/** @type {string} */ text) => void shown.push(`message: ${text}`),
    }),
    env: namespace({ appName: "test", language: "en" }),
    extensions: namespace({ getExtension: () => undefined }),
    l10n: { t: (/** @type {string} */ text) => text },
    notebooks: namespace({}), tests: namespace({}), debug: namespace({}), tasks: namespace({}),
  };
  const enumeration = new Proxy(class extends Value {}, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : key === Symbol.toPrimitive ? undefined : 0),
  });
  const whole = new Proxy(api, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : key === "__esModule" ? true : enumeration),
  });
  return { api: whole, registered, diagnostics, providers, shown, settings, documents, events };
}

/** Let `require("vscode")` give this. */
function install(/** @type {unknown} */ api) {
  const load = /** @type {any} */ (Module)._load;
  /** @type {any} */ (Module)._load = function (/** @type {string} */ name, /** @type {any[]} */ ...rest) {
    return name === "vscode" ? api : load.call(this, name, ...rest);
  };
}

module.exports = { vscode, install };
