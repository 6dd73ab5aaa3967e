// The script of a page that is one file: it unpacks the rest, in the document, in frames of it and in its workers.
// What is packed is compressed, in letters of base64. Of a file on a disk browsers import no modules, so they are
// linked here, under addresses that only this document or worker has.

(() => {
  const TYPES = { mjs: "text/javascript", wasm: "application/wasm" };

  /** @param {string} letters @param {string} [type] @returns {Promise<Blob>} */
  function unpacked(letters, type = "") {
    const packed = atob(letters);
    const bytes = new Uint8Array(packed.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = packed.charCodeAt(at);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream, { headers: { "Content-Type": type } }).blob();
  }

  /** @param {[string, string][]} modules each after those that it imports @returns {Record<string, string>} addresses */
  function linked(modules) {
    const addresses = {};
    for (const [path, text] of modules) {
      const whole = text.replace(/"module:([^"]+)"/g, (_, name) => JSON.stringify(addresses[name]));
      addresses[path] = URL.createObjectURL(new Blob([whole], { type: TYPES.mjs }));
    }
    return addresses;
  }

  /** What a worker is told first has the modules, the files of Python and this script; it is told on once they are at hand. */
  function work() {
    const told = [];
    addEventListener("message", async function take({ data }) {
      told.push(data);
      if (!data.begin) return;
      const { modules, packed, script } = data.begin;
      const unpack = async ([name, letters]) => {
        const file = await unpacked(letters, TYPES[name.split(".").at(-1)]);
        return [name, URL.createObjectURL(file)];
      };
      data.begin.files = Object.fromEntries(await Promise.all(Object.entries(packed).map(unpack)));
      data.begin.address = URL.createObjectURL(new Blob([script], { type: TYPES.mjs }));
      data.begin.type = "classic";
      await import(linked(modules)["js/alone/worker.js"]);
      removeEventListener("message", take);
      for (const message of told) dispatchEvent(new MessageEvent("message", { data: message }));
    });
  }

  function fileAround() {
    try {
      return self === top ? undefined : parent.siteFile;
    } catch {
      return undefined; // it is in a frame of another site
    }
  }

  async function show() {
    const file = fileAround() ?? {
      document: document.documentElement.cloneNode(true), // as it is before anything is drawn
      script: document.currentScript.textContent,
      modules: null,
      addresses: null,
      json: async (id) => JSON.parse(await (await unpacked(document.getElementById(id).textContent)).text()),
    };
    globalThis.siteFile = file;
    file.modules ??= await file.json("client");
    file.addresses ??= linked(file.modules);
    await import(file.addresses["js/alone/one_file.js"]);
  }

  if (typeof document === "undefined") work();
  else show();
})();
