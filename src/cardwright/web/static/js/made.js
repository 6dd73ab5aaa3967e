// The tables that were made in this browser: all of their links, for friends, and what was asked for, to play again.

import { read, write } from "./settings.js";

const NAME = "made";
const MOST = 12;

/**
 * @typedef {{links: import("./new_table.js").Links, wanted: import("./new_table.js").Wanted}} Made
 */

/** @param {Made} made */
export function keep(made) {
  write(NAME, [made, ...read(NAME, /** @type {Made[]} */ ([]))].slice(0, MOST));
}

/**
 * @param {string} link of a seat
 * @returns {Made | null} the table, if it was made here
 */
export function madeHere(link) {
  const made = read(NAME, /** @type {Made[]} */ ([]));
  return made.find(({ links }) => links.seats.some((seat) => seat.link === link)) ?? null;
}
