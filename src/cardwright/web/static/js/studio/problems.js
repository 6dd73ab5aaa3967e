// The list of problems under the editor: what is wrong, where, and what one click does about it.

import { html } from "../dom.js";

const SIGNS = { error: "✕", warning: "!", note: "i" };

/**
 * @param {{diagnostics: any[] | null, more: number, failed: string, go: (place: any) => void,
 *   fix: (fix: any) => void}} props
 */
export function Problems({ diagnostics, failed, go, fix }) {
  if (failed) return html`<p class="notice error" role="alert">${failed}</p>`;
  if (diagnostics === null) return html`<p class="soft">Checking …</p>`;
  if (diagnostics.length === 0) return html`<p class="good">No problems: the game can be played.</p>`;
  return html`<ul class="problems">
    ${diagnostics.map(
      (one) =>
        html`<li key=${`${one.from} ${one.code} ${one.message}`} class=${one.severity}>
          <span class="sign" aria-hidden="true">${SIGNS[one.severity]}</span>
          <div>
            <button class="link" onClick=${() => go(one)}>
              <span class="unseen">${one.severity}, </span>line ${one.line}: ${one.message}
            </button>
            <span class="code soft">${one.code}</span>
            ${one.expected && html`<div class="soft">expected: ${one.expected}</div>`}
            ${one.help && html`<div class="soft">help: ${one.help}</div>`}
            ${one.related.map(
              (place) =>
                html`<div key=${place.from}>
                  <button class="link" onClick=${() => go(place)}>see line ${place.line}: ${place.message}</button>
                </div>`,
            )}
            ${one.fixes.length > 0 &&
            html`<div class="row fixes">
              ${one.fixes.map(
                (each) => html`<button class="small" key=${each.title} onClick=${() => fix(each)}>${each.title}</button>`,
              )}
            </div>`}
          </div>
        </li>`,
    )}
  </ul>`;
}

/** @param {{errors: number, warnings: number, notes: number}} counts */
export function counted(counts) {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`);
  return parts.join(", ") || "no problems";
}
