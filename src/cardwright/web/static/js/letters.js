// Bytes as letters of base64.

const STEP = 2 ** 15; /* arguments that a function may have */

/** @param {Uint8Array} bytes @returns {string} */
export function lettersOf(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += STEP) parts.push(String.fromCharCode(...bytes.subarray(at, at + STEP)));
  return btoa(parts.join(""));
}

/** @param {Uint8Array} bytes @returns {string} in letters that an address can have */
export function addressLetters(bytes) {
  return lettersOf(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
