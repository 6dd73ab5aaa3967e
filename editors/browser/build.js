// Bundles editor.js and extras.js, with what both share in core.js, the versions of what is in it and
// their licences: see scripts/codemirror.
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { minify } from "terser";

const [folder] = process.argv.slice(2);
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));

const made = await build({
  entryPoints: ["editor.js", "extras.js"],
  outdir: folder,
  bundle: true,
  splitting: true,
  chunkNames: "core",
  format: "esm",
  minify: true,
  legalComments: "none",
  target: "es2022",
  charset: "utf8",
  metafile: true,
  write: false,
});

/** The packages whose code is in the bundle, by name. */
const names = new Set();
for (const { inputs } of Object.values(made.metafile.outputs)) {
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found && bytesInOutput) names.add(found[1]);
  }
}

const sorted = [...names].sort();
const versions = sorted.map((name) => `${name} ${lock.packages[`node_modules/${name}`].version}`);
const licences = sorted.map((name, at) => {
  const text = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim();
  return `${versions[at]}\n\n${text}\n`;
});
const head = `/*! ${versions.join(", ")}; MIT licence, see LICENSE; made by scripts/codemirror */\n`;
for (const file of made.outputFiles) {
  const { code } = await minify(file.text, { module: true, ecma: 2020, compress: { passes: 3 } });
  writeFileSync(file.path, `${head}${code}\n`);
}
writeFileSync(`${folder}/LICENSE`, licences.join(`\n${"-".repeat(72)}\n\n`));
