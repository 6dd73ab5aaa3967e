// @ts-check
// What is shown of the answers of commands, in an editor that notes what it is asked to show.
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { execute } = require("../src/outcomes.js");

/** @param {{ languageId?: string, isDirty?: boolean }} [file] */
function editor(file) {
  /** @type {string[]} */
  const seen = [];
  const document = file && {
    languageId: "recycle", isDirty: false, uri: { toString: () => "file:///echo.rcy" },
    save: async () => void seen.push("saved"), ...file,
  };
  const panel = { webview: { set html(/** @type {string} */ text) { seen.push(text); } } };
  const vscode = {
    ViewColumn: { Beside: -2 },
    window: {
      activeTextEditor: document && { document },
      showWarningMessage: async (/** @type {string} */ text) => void seen.push(`warning: ${text}`),
      showInformationMessage: async (/** @type {string} */ text) => void seen.push(`message: ${text}`),
      createTerminal: () => ({ show() {}, sendText: (/** @type {string} */ line) => seen.push(`$ ${line}`) }),
      createWebviewPanel: () => panel,
    },
  };
  return { vscode: /** @type {any} */ (vscode), seen };
}

/** @param {unknown} answer */
function server(answer) {
  /** @type {any[]} */
  const asked = [];
  const next = async (/** @type {string} */ command, /** @type {any[]} */ args) => {
    asked.push([command, ...args]);
    return answer;
  };
  return { asked, next };
}

test("a count is a message", async () => {
  const { vscode, seen } = editor({});
  const { asked, next } = server({ text: "no errors", ok: true });
  await execute(vscode, "cardwright.check", [], next);
  assert.deepEqual(asked, [["cardwright.check", "file:///echo.rcy"]]);
  assert.deepEqual(seen, ["message: no errors"]);
});

test("what failed is a warning", async () => {
  const { vscode, seen } = editor({});
  await execute(vscode, "cardwright.simulate", ["file:///b.rcy"], server({ text: "2 errors", ok: false }).next);
  assert.deepEqual(seen, ["warning: 2 errors"]);
});

test("a game is saved, and played in a terminal", async () => {
  const { vscode, seen } = editor({ isDirty: true });
  const answer = { text: "cardwright play echo.rcy", ok: true, line: "cardwright play echo.rcy" };
  await execute(vscode, "cardwright.play", [], server(answer).next);
  assert.deepEqual(seen, ["saved", "$ cardwright play echo.rcy"]);
});

test("a picture is shown, and nothing in it is run", async () => {
  const { vscode, seen } = editor({});
  const svg = "<svg><script>alert(1)</script></svg>";
  await execute(vscode, "cardwright.flow", [], server({ text: "", ok: true, svg }).next);
  assert.match(seen[0], /default-src 'none'/);
  assert.ok(!seen[0].includes("alert"), "it is an image, not a part of the page");
  assert.ok(seen[0].includes(Buffer.from(svg).toString("base64")));
});

test("without a game there is nothing to do", async () => {
  for (const { vscode, seen } of [editor(), editor({ languageId: "python" })]) {
    const { asked, next } = server({ text: "", ok: true });
    await execute(vscode, "cardwright.flow", [], next);
    assert.deepEqual(asked, []);
    assert.deepEqual(seen, ["warning: Open a game first: a file *.rcy."]);
  }
});

test("other commands pass", async () => {
  const { vscode, seen } = editor({});
  assert.equal(await execute(vscode, "other", [1], server(7).next), 7);
  assert.deepEqual(seen, []);
});
