// @ts-check
// How the language server is started, and what it is told about this client.
"use strict";

const os = require("node:os");
const path = require("node:path");

/** What the server has to know at its start: outcomes of commands are shown by this client. */
const INITIALIZATION = { showsOutcomes: true };

/**
 * The command that starts the server, from the setting.
 *
 * @param {string} setting a name on the PATH, or a path, in which ~ is the home folder
 * @param {string | undefined} folder the folder from which a relative path counts
 */
function serverCommand(setting, folder) {
  let command = setting.trim() || "cardwright";
  if (command === "~" || command.startsWith("~/")) {
    command = path.join(os.homedir(), command.slice(1));
  } else if (folder && /[\\/]/.test(command) && !path.isAbsolute(command)) {
    command = path.join(folder, command);
  }
  return { command, args: ["lsp"] };
}

/**
 * A line for a terminal: words with anything but plain characters are quoted.
 *
 * @param {string[]} words
 * @param {string} platform as in process.platform
 */
function shellLine(words, platform) {
  const quote = platform === "win32" ? '"' : "'";
  const escaped = platform === "win32" ? '""' : "'\\''";
  return words
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : quote + word.replaceAll(quote, escaped) + quote))
    .join(" ");
}

module.exports = { INITIALIZATION, serverCommand, shellLine };
