// The tables that this browser has links to: kept here alone, so that one can go on with them.

import { read, write } from "./settings.js";

const NAME = "tables";
const MOST = 12;

/**
 * @typedef {{link: string, game: string, title: string, watching: boolean, at: number}} RecentTable
 *   `link` is the address of a seat or of a spectator, `at` when it was last opened
 */

/** @returns {RecentTable[]} the last first */
export function recent() {
  return read(NAME, /** @type {RecentTable[]} */ ([])).filter(
    (one) => typeof one?.link === "string" && one.link.startsWith("/t/"),
  );
}

/**
 * Note that a table is open now.
 * @param {{link: string, game: string, title: string, watching?: boolean}} table
 */
export function remember({ link, game, title, watching = false }) {
  const others = recent().filter((one) => one.link !== link);
  write(NAME, [{ link, game, title, watching, at: Date.now() }, ...others].slice(0, MOST));
}

/** @param {string} link */
export function forget(link) {
  write(
    NAME,
    recent().filter((one) => one.link !== link),
  );
}
