// An invitation to be passed on: its link with an address that others reach, as text and as a QR code.

import { CopyButton, html } from "../dom.js";
import { QrCode } from "./qr.js";
import { useReach } from "./reach.js";

/** @param {{link: string}} props */
export function Invitation({ link }) {
  const reach = useReach();
  if (reach === null) return html`<p role="status">One moment …</p>`;
  const whole = reach.whole(link);
  return html`<div class="invitation">
    <${Unreachable} why=${reach.why} />
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
    ${reach.why === null && html`<${QrCode} text=${whole} title="QR code of the link" />`}
    <p class="soft small">Whoever opens it says a name and gets the next free seat. Send it to those only whom you want at the table.</p>
  </div>`;
}

/**
 * Says why others cannot open links, if they cannot.
 * @param {{why: string | null}} props a sentence of the server, in which commands stand between backticks
 */
export function Unreachable({ why }) {
  if (why === null) return null;
  const parts = why.split("`").map((part, at) => (at % 2 === 1 ? html`<code key=${at}>${part}</code>` : part));
  return html`<p class="notice">Others cannot open this link yet. ${parts}</p>`;
}
