// @ts-check
// The extension: it starts Cardwright's language server and shows what it says.
"use strict";

const vscode = require("vscode");
const { LanguageClient, Trace } = require("vscode-languageclient/node");
const { execute } = require("./outcomes.js");
const { INITIALIZATION, serverCommand, shellLine } = require("./server.js");

/** @type {LanguageClient | undefined} */
let client;

function settings() {
  return vscode.workspace.getConfiguration("recycle.cardwright");
}

function server() {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return serverCommand(settings().get("path", "cardwright"), folder);
}

/** @param {string[]} words the words of a call of cardwright */
function inTerminal(...words) {
  const terminal = vscode.window.createTerminal("RECYCLE");
  terminal.show();
  terminal.sendText(shellLine([server().command, ...words], process.platform));
}

async function begin() {
  const name = await vscode.window.showInputBox({
    prompt: "How shall the game be called?",
    validateInput: (text) => (/^[A-Za-z0-9][\w-]*$/.test(text) ? undefined : "Letters, digits, - and _"),
  });
  if (name) {
    inTerminal("new", name);
  }
}

async function test() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "recycle") {
    await vscode.window.showWarningMessage("Open a game first: a file *.rcy.");
    return;
  }
  await document.save();
  inTerminal("test", document.uri.fsPath);
}

async function start() {
  client = new LanguageClient("recycle", "RECYCLE", server(), {
    documentSelector: [{ language: "recycle" }],
    initializationOptions: INITIALIZATION,
    middleware: {
      executeCommand: (command, args, next) => execute(vscode, command, args, next),
    },
  });
  try {
    await client.start();
    await client.setTrace(Trace.fromString(settings().get("trace", "off")));
  } catch (error) {
    client = undefined;
    const why = error instanceof Error ? error.message : String(error);
    const open = "Open the setting";
    const message =
      `Cardwright's language server does not start (${server().command} lsp): ${why}. ` +
      'Install it with pip install "cardwright[editor]", or say in the settings where it is.';
    if ((await vscode.window.showErrorMessage(message, open)) === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "recycle.cardwright.path");
    }
  }
}

async function stop() {
  const ended = client;
  client = undefined;
  await ended?.stop();
}

async function restart() {
  await stop();
  await start();
}

/** @param {import("vscode").ExtensionContext} context */
async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("recycle.new", begin),
    vscode.commands.registerCommand("recycle.test", test),
    vscode.commands.registerCommand("recycle.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("recycle.cardwright")) {
        await restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
