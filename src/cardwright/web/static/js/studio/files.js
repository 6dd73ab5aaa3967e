// Files: read here, written here; nothing is sent anywhere.

import { download } from "../download.js";

const ENDING = ".rcy";

/**
 * @param {string} name
 * @param {string} text
 */
export function saveRules(name, text) {
  download(name + ENDING, "text/plain", text);
}

/**
 * @param {File} file
 * @param {number} most bytes
 * @returns {Promise<{name: string, text: string}>}
 * @throws {Error} with words for people
 */
export async function readRules(file, most) {
  if (file.size > most) {
    throw new Error(`${file.name} has ${file.size.toLocaleString("en")} bytes; ${most.toLocaleString("en")} are allowed here.`);
  }
  const bytes = await file.arrayBuffer();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.includes("\0")) throw new TypeError();
    return { name: nameOf(file.name), text: text.replaceAll("\r\n", "\n") };
  } catch {
    throw new Error(`${file.name} is not a text in UTF-8.`);
  }
}

/** @param {string} file */
export function nameOf(file) {
  return file.replace(/\.rcy$/i, "").trim() || "rules";
}
