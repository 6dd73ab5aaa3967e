// @ts-check
// The real server, driven over the protocol of the language client with what this client tells it.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const protocol = require("vscode-languageserver-protocol/node");
const { COMMANDS } = require("../src/outcomes.js");
const { INITIALIZATION, serverCommand, shellLine } = require("../src/server.js");

const CARDWRIGHT = process.env.CARDWRIGHT ?? "cardwright";
const URI = "file:///games/echo.rcy";
const GAME = `(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (do ((shuffle (game iloc STOCK)) (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (choice ((any ((current player) iloc HAND) 'CARD (move 'CARD (top (game vloc PILE))))))
  (scoring max (size ((current player) iloc HAND))))
`;

test("the setting says what is started", () => {
  assert.deepEqual(serverCommand("", undefined), { command: "cardwright", args: ["lsp"] });
  assert.equal(serverCommand("~/bin/cardwright", undefined).command, path.join(os.homedir(), "bin/cardwright"));
  assert.equal(serverCommand("scripts/cardwright", "/work").command, path.join("/work", "scripts/cardwright"));
  assert.equal(serverCommand("/opt/cardwright", "/work").command, "/opt/cardwright");
});

test("what goes to a terminal is quoted", () => {
  assert.equal(shellLine(["cardwright", "test", "/my games/it's.rcy"], "linux"), "cardwright test '/my games/it'\\''s.rcy'");
  assert.equal(shellLine(["cardwright", "C:\\my games\\a.rcy"], "win32"), 'cardwright "C:\\my games\\a.rcy"');
});

test("the server starts, publishes messages and does what stands above a game", { timeout: 60_000 }, async () => {
  const { command, args } = serverCommand(CARDWRIGHT, undefined);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(child.stdout, child.stdin);
  /** @type {Promise<import("vscode-languageserver-protocol").PublishDiagnosticsParams>} */
  const published = new Promise((resolve) => {
    connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve);
  });
  connection.listen();
  const started = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: INITIALIZATION,
  });
  assert.deepEqual(
    [...(started.capabilities.executeCommandProvider?.commands ?? [])].sort(), [...COMMANDS].sort(),
    "every command of the server is one of the extension",
  );
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: URI, languageId: "recycle", version: 1, text: GAME.replace("(size", "(siez") },
  });
  const found = await published;
  assert.deepEqual(found.diagnostics.map((one) => one.code), ["E201"]);
  const lenses = await connection.sendRequest(protocol.CodeLensRequest.type, { textDocument: { uri: URI } });
  assert.ok(lenses?.every((lens) => COMMANDS.includes(lens.command?.command ?? "")));
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri: URI, version: 2 }, contentChanges: [{ text: GAME }],
  });
  const checked = await connection.sendRequest(protocol.ExecuteCommandRequest.type, {
    command: "cardwright.check", arguments: [URI],
  });
  assert.equal(checked.ok, true);
  assert.equal(checked.errors, 0);
  await connection.sendRequest(protocol.ShutdownRequest.type);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await ended, 0);
  connection.dispose();
});
