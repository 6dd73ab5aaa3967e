// Starts Python in Node from the files of a page in FOLDER, and has PROGRAM write bytecode into OUT.
// FOLDER OUT PROGRAM PARTS, which are the names of archives with the folders in which they are put
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, out, program, parts] = process.argv.slice(2);
const at = (name) => join(folder, name);
const { loadPyodide } = await import(pathToFileURL(at("pyodide.mjs")));
const { default: create } = await import(pathToFileURL(at("pyodide.asm.mjs")));
const { unpack, withLibrary } = await import(pathToFileURL(at("archive.mjs")));
const [library, ...packages] = JSON.parse(parts);
const read = async (name) => readFileSync(at(name));
const python = await loadPyodide({
  indexURL: folder,
  stdLibURL: at("pyodide-lock.json"), // any file: the library is in an archive
  env: { HOME: "/home", PYTHONNODEBUGRANGES: "1" },
  createPyodideModule: withLibrary(create, library[1], read(library[0])),
});
for (const [name, place] of packages) await unpack(python.FS, place, await read(name));
python.FS.mkdir("/out");
python.mountNodeFS("/out", out);
python.runPython(readFileSync(program, "utf8"));
await python.globals.get("main")();
process.exit(0);
