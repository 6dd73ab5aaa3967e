// Packs what stands in a page of one file, as its script unpacks it.

const STEP = 2 ** 15; /* arguments that a function may have */

/** @param {Blob} content @returns {Promise<string>} compressed, in letters of base64 */
export async function packed(content) {
  const stream = content.stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = [];
  for (let at = 0; at < bytes.length; at += STEP) letters.push(String.fromCharCode(...bytes.subarray(at, at + STEP)));
  return btoa(letters.join(""));
}
