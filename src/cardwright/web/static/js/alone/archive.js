// Archives of files, as `cardwright.page.source` makes them.

/**
 * Put the files of an archive into a folder of Python's file system.
 * @param {any} system @param {string} folder @param {Uint8Array} archive
 */
export async function unpack(system, folder, archive) {
  const stream = new Blob([archive]).stream().pipeThrough(new DecompressionStream("gzip"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  let at = all.indexOf(0x0a) + 1;
  const made = new Set();
  for (const [name, size] of JSON.parse(new TextDecoder().decode(all.subarray(0, at)))) {
    const path = `${folder}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) system.mkdirTree(parent);
    made.add(parent);
    system.writeFile(path, all.subarray(at, (at += size)), { canOwn: true }); // without a copy
  }
}

/**
 * How Python's module is made with its library in an archive. Python looks for that in one place, where Pyodide puts
 * a file; here it becomes a folder.
 * @param {(settings: any) => Promise<any>} create @param {string} folder @param {Promise<Uint8Array>} archive
 */
export function withLibrary(create, folder, archive) {
  return (settings) => {
    const [install] = settings.preRun;
    settings.preRun[0] = async (module) => {
      module.addRunDependency("library");
      await install(module);
      module.FS.unlink(folder);
      await unpack(module.FS, folder, await archive);
      module.removeRunDependency("library");
    };
    return create(settings);
  };
}
