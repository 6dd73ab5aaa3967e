// Runs a function of a Python module in Pyodide: SOURCES TESTS MODULE FUNCTION
import { loadPyodide } from "pyodide";

const [sources, tests, module, name] = process.argv.slice(2);
const python = await loadPyodide();
for (const [folder, place] of [[sources, "/sources"], [tests, "/tests"]]) {
  python.FS.mkdir(place);
  python.mountNodeFS(place, folder);
}
console.log(python.runPython(`
import importlib, os, sys
os.environ["CARDWRIGHT_CACHE"] = "off"
sys.path += ["/sources", "/tests"]
importlib.import_module("${module}").${name}()
`));
