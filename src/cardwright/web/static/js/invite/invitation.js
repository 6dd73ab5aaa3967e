// An invitation to be passed on: its link with an address that others reach, as text and as a QR code.

import { ask } from "../api.js";
import { CopyButton, html, useEffect, useState } from "../dom.js";
import { QrCode } from "./qr.js";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** @param {{link: string}} props */
export function Invitation({ link }) {
  const [reach, setReach] = useState(null);
  useEffect(() => {
    ask("/api/reach").then(setReach, (error) => setReach({ addresses: [], why: error.message }));
  }, []);
  if (reach === null) return html`<p role="status">One moment …</p>`;
  // Who came here by an address that others have can pass it on.
  const base = LOCAL.includes(location.hostname) ? (reach.addresses[0] ?? null) : location.origin;
  const whole = (base ?? location.origin) + link;
  return html`<div class="invitation">
    ${base === null && html`<p class="notice">Others cannot open this link yet. ${inWords(reach.why)}</p>`}
    <div class="field">
      <label for="invitation">The link for your friends</label>
      <span class="row">
        <input id="invitation" readonly value=${whole} onFocus=${(event) => event.currentTarget.select()} />
        <${CopyButton} text=${whole} label="the invitation" />
        ${
          navigator.share !== undefined &&
          html`<button class="small" onClick=${() => navigator.share({ url: whole }).catch(() => undefined)}>Share</button>`
        }
      </span>
    </div>
    ${base !== null && html`<${QrCode} text=${whole} title="QR code of the link" />`}
    <p class="soft small">Whoever opens it says a name and gets the next free seat. Send it to those only whom you want at the table.</p>
  </div>`;
}

/** A sentence of the server, with commands as such. */
function inWords(why) {
  return (why ?? "").split("`").map((part, at) => (at % 2 === 1 ? html`<code key=${at}>${part}</code>` : part));
}
