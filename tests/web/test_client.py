"""Claims about the client as a server sends it: modules in few scripts, sheets of styles in one."""

from __future__ import annotations

import gzip
import re

import pytest
from in_process import in_process

from cardwright.web.client import START, STATIC, ClientFile, client, client_of
from cardwright.web.modules import modules, name_of, script_of

PAGE = """<link rel="icon" href="/static/icon.svg">
    <link rel="stylesheet" href="/static/css/base.css">
    <link rel="stylesheet" href="/static/css/home.css">
    <script src="/static/js/early.js"></script>
    <link rel="modulepreload" href="/static/js/{page}.js">
    <script type="module" src="/static/js/start.js"></script>
"""
FILES = {
    "icon.svg": "<svg/>",
    "css/base.css": "p {}",
    "css/home.css": "b {}",
    "js/early.js": "early();",
    "vendor/lib.js": "function a(){}function b(){}export{a as start,b};",
    "js/start.js": """import { start } from "./dom.js";
const PAGES = [() => import("./a.js"), () => import("./b.js"), () => import("./c.js")];
""",
    "js/dom.js": 'export * from "../vendor/lib.js";\nexport const one = 1;\n',
    "js/a.js": 'import { two } from "./two.js";\nimport { three } from "./three.js";\n',
    "js/b.js": """import {
  one as first,
  b,
} from "./dom.js";
import { two } from "./two.js";
import { three } from "./three.js";
/** @param {import("./c.js").Kind} kind */
export async function page(kind) {
  return (await import("./later.js")).later;
}
""",
    "js/c.js": 'import { three } from "./three.js";\nexport class Kind {}\n',
    "js/two.js": "export const two = 2;\n",
    "js/three.js": 'export { one as three } from "./dom.js";\n',
    "js/later.js": 'import { two } from "./two.js";\nexport function later() {}\n',
    "a.html": PAGE.format(page="a"),
    "b.html": PAGE.format(page="b"),
}


def made(**changed: str):
    files = FILES | {name.replace("_", "/") + ".js": text for name, text in changed.items()}
    return client_of({name: text.encode() for name, text in files.items()})


def written(path: str, text: str) -> str:
    """Return a script that has one module."""
    files = {path: text.encode()} | {f"js/{name}.js": b"" for name in ("b", "c")}
    module = next(one for one in modules(files, [path]) if one.path == path)
    return script_of([module], lambda other: f"./{name_of(other)}.js")


def test_what_three_pages_need_is_in_the_script_of_all():
    """Other modules are with those that the same pages need, and each is in one script."""
    files = {name: file.content.decode() for name, file in made().files.items()}
    scripts = {name: re.findall(r"(?m)^// (.+\.js)$", text) for name, text in files.items()}
    assert {name: found for name, found in scripts.items() if found} == {
        "start.js": ["vendor/lib.js", "js/dom.js", "js/three.js", "js/start.js"],
        "two.js": ["js/two.js"],
        "a.js": ["js/a.js"],
        "b.js": ["js/b.js"],
        "c.js": ["js/c.js"],
        "later.js": ["js/later.js"],
    }
    assert files["a.css"] == files["b.css"] == "p {}\nb {}"


def test_a_document_names_all_that_its_page_needs_at_once():
    """And nothing else, in a folder that is named after all content."""
    first = made()
    document = first.documents["b.html"]
    named = re.findall(r'(?:href|src)="([^"]+)"', document)
    at = f"/static/client/{first.version}/"
    assert all(name.startswith(at) for name in named)
    loaded = [name.removeprefix(at) for name in named]
    assert loaded == ["icon.svg", "b.css", "early.js", "two.js", "b.js", "start.js"]
    other = made(js_later="export function later() {}\n")
    assert other.version != first.version
    assert other.documents["b.html"] == document.replace(first.version, other.version)


def test_modules_import_from_each_other_within_a_script():
    text = made().files["start.js"].content.decode()
    assert "return { start: a, b: b };" in text
    assert "return { ...vendor$lib, one };" in text
    assert "return { three: js$dom.one };" in text
    assert "const { start } = js$dom;" in text
    assert 'import("./b.js").then((all) => all.js$b)' in text


def test_a_module_keeps_its_lines():
    """What it imports stands where it stood, and comments stay as they are."""
    text = made().files["b.js"].content.decode()
    begin = text.index("const {\n  one: first,\n  b,\n} = js$dom;")
    kept = text[begin:].splitlines()
    assert kept[7] == "async function page(kind) {"
    assert kept[6] == FILES["js/b.js"].splitlines()[6]
    assert kept[8] == '  return (await import("./later.js").then((all) => all.js$later)).later;'
    assert text.startswith('import { js$dom, js$three } from "./start.js";\nimport { js$two } from')


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let a = 1;",
        "export const { a } = {};",
        "  export const a = 1;",
        "export * as b from './c.js';",
        'import "./b.js";',
        'import b from "./b.js";',
        'import * as b from "./b.js";',
        "await 1;",
        "const a = await 1;",
        "import.meta.url;",
        "import(`./${b}.js`);",
    ],
)
def test_what_no_module_may_have(line):
    """It would mean something else among others in a script."""
    with pytest.raises(ValueError, match=r"^js/a\.js has "):
        written("js/a.js", f"{line}\nconst more = 1;\n")


def test_what_a_module_may_have():
    lines = "const exported = 1;\n// import, export: words\nfunction awaited() {}\nimporting();\n"
    assert lines.rstrip() in written("js/a.js", lines)


def test_documents_load_nothing_that_is_not_made():
    files = FILES | {"a.html": PAGE.format(page="a") + '<script src="/static/js/a.js"></script>'}
    with pytest.raises(ValueError, match=r'^a\.html has "/static/js/a\.js"'):
        client_of({name: text.encode() for name, text in files.items()})


def test_modules_have_names():
    assert name_of("js/table/hand.js") == "js$table$hand"
    with pytest.raises(ValueError, match="can be no name"):
        name_of("js/two-words.js")


def test_all_that_scripts_import_is_there():
    """In the client of the package: every page, and all that is loaded later."""
    files = {name: file.content.decode() for name, file in client().files.items()}
    exports = {name: set(re.findall(r"(?m)^export const (\S+)", files[name])) for name in files}
    everything = [name for found in exports.values() for name in found]
    assert len(everything) == len(set(everything)) > 100
    count = 0
    for name, text in files.items():
        for names, path in re.findall(r'(?m)^import \{ (.*) \} from "\./(.+)";$', text):
            assert set(names.split(", ")) <= exports[path], name
        for path, wanted in re.findall(
            r'import\("\./(.+?)"\)\.then\(\(all\) => all\.(\S+?)\)', text
        ):
            assert wanted in exports[path], name
            count += 1
    later = {one for module in modules_of_package() for one in module.later}
    assert count >= len(later) > 20
    assert {name_of(path) for path in later} <= set(everything)


def modules_of_package():
    files = {
        file.relative_to(STATIC).as_posix(): file.read_bytes() for file in STATIC.rglob("*.js")
    }
    return modules(files, [START])


def test_each_document_is_of_a_page():
    """It names more scripts than the one that all have, or its page would load them late."""
    for name, document in client().documents.items():
        assert "modulepreload" in document, name
        assert document.count("stylesheet") == 1, name


@pytest.fixture
def http():
    with in_process() as site:
        yield site


def test_browsers_keep_what_they_have(http):
    """Files of a version never change; those of another are not here."""
    document = http.get("/")
    assert document.headers["cache-control"] == "no-cache"
    address = re.search(r'src="(\S+start\.js)"', document.text)[1]
    answer = http.get(address, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["x-content-type-options"] == "nosniff"
    plain = http.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content == client().files["start.js"].content
    assert http.get(address.replace(client().version, "0" * 16)).status_code == 404
    assert http.get(address.replace("start.js", "none.js")).status_code == 404
    file = ClientFile(b"words", "text/css")
    assert gzip.decompress(file.packed) == b"words"


def test_a_developer_sees_modules_as_they_are(http):
    document = http.get("/", params={"plain": ""}).text
    assert document == (STATIC / "home.html").read_text()
