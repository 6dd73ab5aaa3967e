// Files: read here, written here; nothing is sent anywhere.

const ENDING = ".rcy";

/**
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  offer(name + ENDING, text, "text/plain;charset=utf-8");
}

/** Give a file as a download. @param {string} file its name @param {string} text @param {string} type */
export function offer(file, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
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
