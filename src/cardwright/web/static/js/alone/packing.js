// Packs what stands in a page of one file, as its script unpacks it.

import { lettersOf } from "../letters.js";

/** @param {Blob} content @returns {Promise<string>} compressed, in letters of base64 */
export async function packed(content) {
  const stream = content.stream().pipeThrough(new CompressionStream("gzip"));
  return lettersOf(new Uint8Array(await new Response(stream).arrayBuffer()));
}
