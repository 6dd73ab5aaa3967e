// A link as a QR code, which a phone reads.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";

const QUIET = 4; /* light modules around the code, which belong to it */

/** @param {{text: string, title: string}} props */
export function QrCode({ text, title }) {
  const [code, setCode] = useState(null);
  useEffect(() => {
    ask("/api/qr", { body: { text } }).then(setCode, () => setCode(null)); // the link is there as text
  }, [text]);
  if (code === null) return null;
  const side = code.size + 2 * QUIET;
  return html`<svg class="qr" viewBox=${`${-QUIET} ${-QUIET} ${side} ${side}`} role="img" aria-label=${title} shape-rendering="crispEdges">
    <rect x=${-QUIET} y=${-QUIET} width=${side} height=${side} fill="#fff" />
    <path d=${code.path} fill="#000" />
  </svg>`;
}
