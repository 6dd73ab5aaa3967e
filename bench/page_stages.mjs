// Starts a page's Python in Node, stage by stage: FOLDER of its Python, FILE of a program. Prints seconds as JSON.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(2).map((name) => path.resolve(name));
globalThis.processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const stages = {};
let last = processorTime();
const mark = (stage) => {
  const now = processorTime();
  stages[stage] = now - last;
  last = now;
};
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const { default: create } = await import(pathToFileURL(`${folder}/pyodide.asm.mjs`).href);
const { unpack, withLibrary } = await import(pathToFileURL(`${folder}/../static/js/alone/archive.js`).href);
const archive = async (name) => fs.readFileSync(`${folder}/${name}`);
const python = await loadPyodide({
  stdLibURL: `${folder}/pyodide-lock.json`, // any file: the library is in an archive
  createPyodideModule: withLibrary(create, "/lib/python314.zip", archive("library.pack")),
});
mark("Pyodide");
for (const name of ["packages.pack", "cardwright.pack"]) {
  await unpack(python.FS, "/lib/python3.14/site-packages", await archive(name));
}
mark("unpack");
python.runPython("import cardwright.web.page_host");
mark("import");
python.runPython(fs.readFileSync(program, "utf8"));
for (const stage of ["start", "first scene", "first decision", "a move"]) {
  await python.runPythonAsync(`await table.next("${stage}")`);
  mark(stage);
}
stages.rates = python.runPython("rates()").toJs();
console.log(JSON.stringify(stages));
process.exit(0);
