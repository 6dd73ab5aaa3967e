// The tables that were made in this browser: all of their links, for friends.

import { read, write } from "./settings.js";

const NAME = "made";
const MOST = 12;

/** @typedef {import("./new_table.js").Links} Links */

/** @param {Links} links */
export function keep(links) {
  write(NAME, [links, ...read(NAME, /** @type {Links[]} */ ([]))].slice(0, MOST));
}

/**
 * @param {string} link of a seat
 * @returns {Links | null} those of the table, if it was made here
 */
export function madeHere(link) {
  const made = read(NAME, /** @type {Links[]} */ ([]));
  return made.find((links) => links.seats?.some((seat) => seat.link === link)) ?? null;
}
