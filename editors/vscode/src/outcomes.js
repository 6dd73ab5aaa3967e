// @ts-check
// What is done with the answer of a command: see docs/editors.md for what the answers hold.
"use strict";

/** @typedef {{ text: string, ok: boolean, line?: string, svg?: string }} Outcome */

/** The commands that stand above a game. */
const COMMANDS = ["cardwright.check", "cardwright.play", "cardwright.simulate", "cardwright.flow"];

/**
 * @param {unknown} answer
 * @returns {answer is Outcome}
 */
function isOutcome(answer) {
  return typeof answer === "object" && answer !== null && "text" in answer && "ok" in answer;
}

/**
 * The page on which a picture is shown; nothing in it is run.
 *
 * @param {string} svg
 */
function picturePage(svg) {
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>body { background: white; } img { max-width: 100%; }</style></head>
<body><img alt="How cards move in this game" src="data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}">
</body></html>`;
}

/**
 * Shows the outcome of a command.
 *
 * @param {typeof import("vscode")} vscode
 * @param {string} command
 * @param {unknown} answer
 */
async function showOutcome(vscode, command, answer) {
  if (!isOutcome(answer)) {
    return;
  }
  if (!answer.ok) {
    await vscode.window.showWarningMessage(answer.text);
  } else if (answer.line !== undefined) {
    const terminal = vscode.window.createTerminal("RECYCLE");
    terminal.show();
    terminal.sendText(answer.line);
  } else if (answer.svg !== undefined) {
    const beside = vscode.ViewColumn.Beside;
    const panel = vscode.window.createWebviewPanel(command, "How cards move", beside, {});
    panel.webview.html = picturePage(answer.svg);
  } else {
    await vscode.window.showInformationMessage(answer.text, { modal: answer.text.includes("\n") });
  }
}

/**
 * Hands a command to the server, about the file of the editor if nothing else is said.
 *
 * @param {typeof import("vscode")} vscode
 * @param {string} command
 * @param {any[]} args
 * @param {(command: string, args: any[]) => any} next
 */
async function execute(vscode, command, args, next) {
  if (!COMMANDS.includes(command)) {
    return next(command, args);
  }
  const document = vscode.window.activeTextEditor?.document;
  if (!args.length && document?.languageId !== "recycle") {
    await vscode.window.showWarningMessage("Open a game first: a file *.rcy.");
    return undefined;
  }
  if (command === "cardwright.play" && document?.isDirty) {
    await document.save();
  }
  const about = args.length ? args : [document?.uri.toString()];
  const answer = await next(command, about);
  await showOutcome(vscode, command, answer);
  return answer;
}

module.exports = { COMMANDS, execute, showOutcome };
