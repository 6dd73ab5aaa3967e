// What stands for the server in a page: Python, with the site's own code, in a worker of the browser.
// It is told `{id, ask: [method, address, body]}`, `{id, follow: [address, after]}` or `{id, end: true}`, and tells
// `{id, status, text}` for an answer, `{id, event: [id, data]}` for an event, and `{ready: share}` while it starts.
// The second worker is told `{id, work: [module, request]}`, and tells `{id, report}` and `{id, answer}`.

import { unpack, withLibrary } from "./archive.js";
import { LATER, forgetMemory, memoryOf } from "./memory.js";
import { keep, kept } from "./records.js";
import { Second } from "./second.js";

/** @type {Promise<{site?: any, worked?: any, extend: (file: string) => Promise<void>}>} */
let host;
/** @type {{file: string, prefix: string, module: string, come?: Promise<void>}[]} archives that some requests and
 * modules need besides, by how these begin */
let extras = [];
/** @type {any} */
let interpreter;
/** @type {any} the console, from its first use on */
let typed;
const PACKAGES = "/lib/python3.14/site-packages";
const MOST_COMING = 0.9; /* how much is there when all files are */

addEventListener("message", ({ data }) => {
  if (data.begin) {
    extras = data.begin.extras;
    host = begun(data.begin);
    host.catch(() => forgetMemory(data.begin.python));
  } else if (data.work) work(data.id, data.work);
  else if (data.ask) answer(data.id, data.ask[1], (site) => site.ask(...data.ask));
  else if (data.follow) follow(data.id, data.follow);
  else if (data.run) run(data.id, data.run);
  else if (data.end) host.then(({ site }) => site.end(data.id));
});

/**
 * Start Python from the files of a folder, or from those whose addresses are in `files`.
 * @param {{python?: string, version: string, files?: Record<string, string>,
 *   parts: {file: string, folder: string, size: number}[], extras: {file: string, prefix: string}[],
 *   games: Record<string, string>,
 *   opponents: Record<string, string[]>, second?: boolean, game?: string, address?: string, type?: WorkerType}} begin
 *   `games` are texts of files that are in no library, `opponents` are who plays against people, by game; `game` is
 *   the one that is looked at first, `second` says that it is the second worker, without a site, and `address` and
 *   `type` are those of the script of workers, if it is not this module
 */
async function begun(begin) {
  const { files: given, parts, games, opponents } = begin;
  const at = (file) => given?.[file] ?? new URL(file, begin.python).href;
  const memory = memoryOf(begin.python, begin.version, !begin.second, begin.game);
  const whole = parts.reduce((sum, { size }) => sum + size, 0);
  let come = 0;
  const tell = (bytes) => postMessage({ ready: MOST_COMING * Math.min((come += bytes) / whole, 1) });
  const [library, ...packages] = parts.map(({ file, folder }) => ({ folder, archive: fetched(at(file), tell) }));
  const { loadPyodide } = await import(at("pyodide.mjs"));
  const { default: create } = await import(at("pyodide.asm.mjs"));
  const held = await memory;
  const runtime = await loadPyodide({
    indexURL: `${at("pyodide.asm.wasm")}#`, // the one file that is looked for below it
    lockFileURL: at("pyodide-lock.json"),
    stdLibURL: at("pyodide-lock.json"), // any file: the library is in an archive
    ...held.options(withLibrary(create, library.folder, library.archive)),
  });
  for (const { folder, archive } of packages) await unpack(runtime.FS, folder, await archive);
  interpreter = runtime;
  const remember = held.settle(runtime);
  const extend = async (file) => unpack(runtime.FS, PACKAGES, await fetched(at(file), () => undefined));
  for (const [file, text] of Object.entries(games)) runtime.FS.writeFile(file, text);
  if (begin.second) {
    postMessage({ ready: 1 });
    return { worked: runtime.pyimport("cardwright.web.second_worker").work, extend };
  }
  const workers = runtime.pyimport("cardwright.web.second_worker").SecondPython(new Second(begin));
  const { PageHost } = runtime.pyimport("cardwright.web.page_host");
  const files = runtime.toPy(Object.keys(games).filter((file) => !file.endsWith(".toml")));
  const played = { files, opponents: runtime.toPy(opponents), workers };
  const site = PageHost.callKwargs((table, record) => keep(table, record ?? null), played);
  for (const record of await kept()) site.restore(record);
  await site.start();
  postMessage({ ready: 1 });
  setTimeout(() => remember().catch(() => undefined), LATER); // it fails where there is no room
  return { site, extend };
}

/** @returns {Promise<Uint8Array>} a file; `tell` is told how many bytes of it have come */
async function fetched(address, tell) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} is missing (${answer.status})`);
  const reader = answer.body.getReader();
  const parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    tell(value.length);
  }
}

/** Work for a module in the second worker. */
async function work(id, [module, request]) {
  let answer;
  try {
    const { worked, extend } = await host;
    for (const extra of extras) if (module.startsWith(extra.module)) await (extra.come ??= extend(extra.file));
    answer = worked(module, request, (report) => postMessage({ id, report }));
  } catch (error) {
    console.error(error); // without an answer it is replaced
  }
  postMessage({ id, answer });
}

async function answer(id, address, asked) {
  try {
    const { site, extend } = await host;
    for (const extra of extras) {
      if (address.startsWith(extra.prefix)) await (extra.come ??= extend(extra.file));
    }
    const pair = await asked(site);
    const [status, text] = pair.toJs();
    pair.destroy();
    postMessage({ id, status, text });
  } catch (error) {
    postMessage({ id, status: 0, text: String(error.message ?? error) });
  }
}

function follow(id, [address, after]) {
  const tell = (event, data) => postMessage({ id, event: [event, data] });
  return answer(id, address, (site) => site.follow(id, address, after, tell));
}

/** Run a text in the console: what it writes is told as `{id, said: [text, bad]}`, and then it is answered. */
function run(id, [source, columns, files]) {
  const tell = (text, bad) => postMessage({ id, said: [text, bad] });
  return answer(id, "/console", () => {
    typed ??= interpreter.pyimport("cardwright.interfaces.console").Console();
    return typed.run(source, columns, interpreter.toPy(files), tell);
  });
}
