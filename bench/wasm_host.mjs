// Calls a function of a module in V8: reads a plan from its input, prints times and a digest.
import crypto from "node:crypto";
import fs from "node:fs";

const plan = JSON.parse(fs.readFileSync(0, "utf8"));
const memory = new WebAssembly.Memory({ initial: Math.ceil(plan.bytes / 65536) + 1 });
const host = { memory, tables: new WebAssembly.Global({ value: "i32" }, plan.tables), ask: address => address };
const { instance } = await WebAssembly.instantiate(fs.readFileSync(plan.module), { host });
const bytes = new Uint8Array(memory.buffer);
const args = plan.args.map(arg => typeof arg === "string" ? BigInt(arg) : arg);
const seconds = [];
const warmUp = 10;
for (let turn = 0; turn < warmUp + plan.turns; turn++) {
  for (const [address, content] of plan.blocks) bytes.set(Buffer.from(content, "hex"), address);
  for (const [address, size] of plan.results) bytes.fill(0, address, address + size);
  const begun = process.cpuUsage();
  instance.exports[plan.function](...args);
  const { user, system } = process.cpuUsage(begun);
  if (turn >= warmUp) seconds.push((user + system) / 1e6);
}
const digest = crypto.createHash("sha256");
for (const [address, size] of plan.results) digest.update(bytes.subarray(address, address + size));
console.log(JSON.stringify({ seconds, digest: digest.digest("hex") }));
