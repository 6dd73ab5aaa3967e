// What scrolls in itself can be reached by the keyboard: wide tables and long lines of code.
const reachable = () => {
  for (const one of document.querySelectorAll(".md-typeset__scrollwrap, pre > code, .output")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
  }
};
document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(reachable));
window.addEventListener("load", reachable);
window.addEventListener("resize", reachable);

// What can be tried in the page beside the documentation: Python and commands in its console, where they wait to be
// run, and whole games in its studio. One tab takes them all, so that what was defined before is still there.
const COMMAND = /^\$ cardwright (?:check|explain-diff|format|games|new|replay|show|simulate|test)\b/;
const ELSEWHERE =
  /\b(?:numpy|polars|pandas|matplotlib|gymnasium|pettingzoo|pyspiel|Batch|analyze|evolve|exploitability|ladder|play_match|play_random|play_season|run_experiment|solve_game|tournament)\b|cardwright\.(?:league|lab|evolution|solve|envs)/;

const session = (text) =>
  text
    .split("\n")
    .filter((line) => /^(?:>>>|\.\.\.)/.test(line))
    .map((line) => line.slice(4))
    .join("\n");
const typed = {
  console: (text) => text.split("\n").filter((line) => COMMAND.test(line)).join("\n"),
  pycon: (text) => (ELSEWHERE.test(text) ? "" : session(text)),
  python: (text) => (ELSEWHERE.test(text) ? "" : text.trimEnd()),
  toml: (text, file) => (file?.endsWith(".toml") ? `open("${file}", "w").write(r'''${text}''')` : ""),
};

const linked = (block, words, address) => {
  const base = JSON.parse(document.getElementById("__config").textContent).base;
  const link = Object.assign(document.createElement("a"), { href: `${base}/play/#${address}`, target: "cardwright" });
  link.className = "try";
  link.textContent = words;
  block.after(link);
};
const packed = async (value) => {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
const tried = async () => {
  if (location.protocol === "file:") return; // from where no browser runs the page
  for (const block of document.querySelectorAll("div.highlight:not(.doc-signature)")) {
    const text = block.querySelector("code")?.textContent ?? "";
    const kind = /language-(\w+)/.exec(block.className)?.[1];
    const file = /([\w.]+)\.(?:rcy|toml)/.exec(block.previousElementSibling?.textContent ?? "");
    const code = typed[kind]?.(text, file?.[0]);
    if (code) linked(block, "Try it", `/console#text=${encodeURIComponent(code)}`);
    if (kind === "recycle" && /^(?:;;.*\n|\s)*\(game\b/.test(text)) {
      linked(block, "Open in the studio", `/studio#rules=${await packed({ name: file?.[1] ?? "rules", text })}`);
    }
  }
};
document.addEventListener("DOMContentLoaded", tried);
