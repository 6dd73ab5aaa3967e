// The key of this browser's record: a secret, made when it is first needed.

import { addressLetters } from "../letters.js";
import { read, write } from "../settings.js";

const NAME = "record-key";
const SHAPE = /^[A-Za-z0-9_-]{22}$/;

/** The setting that says whether games are counted. */
export const COUNTING = "count-games";

/** @returns {string} 128 random bits, as the links of tables have them */
export function recordKey() {
  const kept = read(NAME, "");
  if (SHAPE.test(kept)) return kept;
  const key = addressLetters(crypto.getRandomValues(new Uint8Array(16)));
  write(NAME, key);
  return key;
}

/** Take the key of another browser. @param {string} text @returns {boolean} whether it looks like one */
export function takeKey(text) {
  const key = text.trim();
  if (!SHAPE.test(key)) return false;
  write(NAME, key);
  return true;
}
