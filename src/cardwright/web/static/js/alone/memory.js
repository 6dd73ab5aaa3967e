// Keeps Python's memory once modules are imported: the next start begins there, in a small part of the time.

/** What is imported before it is kept: all but what needs machine code, which memory has not got. */
const MODULES = [
  "cardwright.game.wording.option_text",
  "cardwright.hearts.expert",
  "cardwright.table.claims",
  "cardwright.table.narrator",
  "cardwright.table.reason",
  "cardwright.table.referee",
  "cardwright.web.game_record",
  "cardwright.web.library_routes",
  "cardwright.web.replay_routes",
  "cardwright.web.second_worker",
  "cardwright.web.studio.workers",
  "cardwright.web.studio_routes",
  "cardwright.web.table_routes",
];

/** Milliseconds after the start, in which people begin to play: what is kept for the next time waits for them. */
export const LATER = 5_000;

const PLACE = "memory"; /* where it lies in the cache, with the version */
const nameOf = (python) => `memory of ${python}`;

/**
 * @param {string | undefined} python the folder of Python's files; undefined if they lie in no folder
 * @param {string} version which says what these are
 * @param {boolean} make whether it is kept if it is not there yet
 * @param {string | undefined} game the game of the library that is looked at meanwhile, which is kept, too
 */
export async function memoryOf(python, version, make, game) {
  const cache = await opened(python);
  const place = cache && new URL(`${PLACE}/${version}`, python);
  const kept = await cache?.match(place);
  const memory = await kept?.arrayBuffer();
  return {
    /** How Python is to be loaded. @param {(settings: any) => Promise<any>} create makes its module */
    options: (create) =>
      memory
        ? { _loadSnapshot: memory, createPyodideModule: async (settings) => roomFor(await create(settings), memory) }
        : { _makeSnapshot: make && Boolean(cache), createPyodideModule: create },

    /** Go on from the memory, or take it to be kept. @returns {() => Promise<void>} keeps it, when there is time */
    settle(runtime) {
      if (memory) runtime.runPython("import random; random.seed()");
      if (memory || !cache || !make) return async () => undefined;
      for (const name of MODULES) runtime.pyimport(name).destroy();
      const facts = runtime.pyimport("cardwright.web.game_facts");
      if (game) facts.load_usual(game);
      facts.destroy();
      const taken = runtime.makeMemorySnapshot();
      return async () => {
        for (const old of await cache.keys()) await cache.delete(old);
        await cache.put(place, new Response(taken));
      };
    },
  };
}

/** Begin anew the next time, whatever was kept. @param {string} python */
export async function forgetMemory(python) {
  if (typeof caches !== "undefined") await caches.delete(nameOf(python));
}

/** @returns {Promise<Cache | undefined>} none where a page may keep nothing */
async function opened(python) {
  try {
    return python === undefined ? undefined : await caches.open(nameOf(python));
  } catch {
    return undefined;
  }
}

/** Have a module take as much memory as was kept, which is put over all that is there. */
function roomFor(module, { byteLength }) {
  if (module.HEAP8.length < byteLength) module._malloc(byteLength);
  module.HEAP8.fill(0, byteLength);
  return module;
}
