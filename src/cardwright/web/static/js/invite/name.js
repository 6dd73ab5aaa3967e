// What the person at this browser is called, kept from one table to the next.

import { read, write } from "../settings.js";

const NAME = "player-name";

export const LONGEST_NAME = 40;

/** @returns {string} empty if it was never said */
export function playerName() {
  return read(NAME, "");
}

/** @param {string} name */
export function keepName(name) {
  write(NAME, name);
}
