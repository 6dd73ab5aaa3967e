// The rules one is at, kept in this browser: they survive a reload, and loading others.

import { read, write } from "../settings.js";

const DRAFT = "studio.draft";
const BEFORE = "studio.before";

/**
 * @typedef {{name: string, text: string, file?: {number: number, digest: string}}} Draft rules with the
 *   name of their file, and where the server has it
 */

/** @returns {Draft | null} */
function found(name) {
  const draft = read(name, {});
  return typeof draft.text === "string" && typeof draft.name === "string" ? draft : null;
}

/** What was written last. */
export const draft = () => found(DRAFT);

/** What was there before the last time that other rules were loaded. */
export const draftBefore = () => found(BEFORE);

/** @param {Draft} draft */
export const keepDraft = (draft) => write(DRAFT, draft);

/** @param {Draft} draft */
export const keepBefore = (draft) => write(BEFORE, draft);
