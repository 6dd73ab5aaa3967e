// @ts-check
// The whole extension, with the language client of VS Code and the real server.
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { URI } = require("vscode-uri");
const { install, vscode } = require("./vscode.js");

const CARDWRIGHT = process.env.CARDWRIGHT ?? "cardwright";
const GAME = `(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (do ((shuffle (game iloc STOCK))))
  (scoring max (siez (game iloc STOCK))))
`;

const host = vscode();
install(host.api);
const extension = require("../src/extension.js");

test("the extension starts the server and shows what it says", { timeout: 60_000 }, async () => {
  host.settings.path = CARDWRIGHT;
  const uri = URI.file("/games/echo.rcy");
  const document = {
    uri, languageId: "recycle", version: 1, isDirty: false, fileName: uri.fsPath,
    getText: () => GAME, lineCount: 5,
  };
  host.documents.push(document);
  const published = new Promise((resolve) => host.events.published.event(resolve, undefined));
  await extension.activate(/** @type {any} */ ({ subscriptions: [] }));
  assert.deepEqual(host.shown, []);
  const found = /** @type {any[]} */ (await published);
  assert.equal(found.length, 1);
  assert.match(found[0].message, /siez/);
  assert.ok(host.providers.has("registerHoverProvider"));
  assert.ok(host.providers.has("registerRenameProvider"));
  await host.registered.get("cardwright.check")?.(uri.toString());
  assert.equal(host.shown.length, 1);
  assert.match(host.shown[0], /1 error/);

  /** @type {string[]} */
  const lines = [];
  Object.assign(host.api.window, {
    createTerminal: () => ({ show() {}, sendText: (/** @type {string} */ line) => lines.push(line) }),
    showInputBox: async () => "mygame",
    activeTextEditor: { document: { ...document, save: async () => true } },
  });
  await host.registered.get("recycle.new")?.();
  await host.registered.get("recycle.test")?.();
  assert.deepEqual(lines, [`${CARDWRIGHT} new mygame`, `${CARDWRIGHT} test /games/echo.rcy`]);
  await extension.deactivate();
});

test("a server that does not start is explained", { timeout: 60_000 }, async () => {
  host.settings.path = "/no/such/cardwright";
  host.shown.length = 0;
  await extension.activate(/** @type {any} */ ({ subscriptions: [] }));
  const advice = /^error: .*\/no\/such\/cardwright lsp.*pip install "cardwright\[editor\]"/;
  assert.ok(host.shown.some((text) => advice.test(text)), host.shown.join("\n"));
});
