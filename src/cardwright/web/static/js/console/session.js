// What was typed and written, as long as the document is open.

import { run, stop } from "../api.js";
import { draft } from "../studio/drafts.js";

const MOST = 50_000; /* characters that are kept of what was written */

/** @typedef {{kind: "in" | "out" | "bad", text: string}} Entry */

/** @type {{entries: Entry[], history: string[], busy: boolean}} */
export const session = { entries: [], history: [], busy: false };

/** @type {Promise<boolean>} */
let running = Promise.resolve(false);

/** Python begins, unless it has begun; it says which it is. @param {number} columns @returns {Promise<boolean>} */
export function begin(columns) {
  begun ??= enter("", columns);
  return begun;
}

/** @type {Promise<boolean> | undefined} */
let begun;

/** @type {() => void} is called when there is something new */
let tell = () => undefined;

/** @param {() => void} listener */
export function listen(listener) {
  tell = listener;
}

/** @param {Entry["kind"]} kind @param {string} text */
function add(kind, text) {
  const last = session.entries.at(-1);
  if (kind !== "in" && last?.kind === kind) last.text = (last.text + text).slice(-MOST);
  else session.entries.push({ kind, text });
  let size = 0;
  const first = session.entries.findLastIndex((entry) => (size += entry.text.length) > MOST);
  session.entries.splice(0, first);
  tell();
}

/**
 * Run a text; what it says stands below it.
 * @param {string} source
 * @param {number} columns in which it is shown
 * @returns {Promise<boolean>} whether it wants more lines first
 */
export function enter(source, columns) {
  running = entered(source, columns);
  return running;
}

async function entered(source, columns) {
  session.busy = true;
  tell();
  const last = draft();
  const files = last && source.startsWith("cardwright ") ? { [`${last.name.replaceAll("/", "-")}.rcy`]: last.text } : {};
  let told = source === "";
  const say = () => {
    if (!told) add("in", source);
    told = true;
  };
  try {
    const more = await run(source, columns, files, (text, bad) => {
      say();
      add(bad ? "bad" : "out", text);
    });
    if (!more) say();
    return more;
  } catch (error) {
    say();
    add("bad", `${error.message}\n`);
    return false;
  } finally {
    session.busy = false;
    tell();
  }
}

/** End what runs; Python begins anew, without what was defined. */
export async function end(columns) {
  stop();
  await running;
  begun = undefined;
  await begin(columns);
}

/** Forget what was written. */
export function clear() {
  session.entries = [];
  tell();
}
