// What the program itself says of its game.

import { html } from "../dom.js";

/**
 * @param {{game: any, stale: boolean, change: (constant: any, value: string) => void}} props `change` writes another
 *   value of a constant into the rules
 */
export function Facts({ game, stale, change }) {
  if (!game) return html`<p>Without errors in the rules, their game is described here.</p>`;
  const teams = game.teams.length < game.players ? `in ${game.teams.length} teams` : "each for itself";
  return html`<div class="facts">
    ${stale && html`<p><em>These are the rules before the last change.</em></p>`}
    <dl>
      <dt>Players</dt>
      <dd>${game.players}, ${teams}</dd>
      <dt>Wins</dt>
      <dd>the ${game.highest_wins ? "highest" : "lowest"} score</dd>
      <dt>Cards</dt>
      <dd>${game.cards}</dd>
    </dl>
    ${game.constants.length > 0 && html`<${Constants} constants=${game.constants} stale=${stale} change=${change} />`}
    <h3>What cards have</h3>
    <dl>
      ${Object.entries(game.attributes).map(
        ([name, values]) => html`<dt key=${name}><code>${name}</code></dt>
          <dd>${values.join(", ")}</dd>`,
      )}
    </dl>
    <h3>Where cards lie</h3>
    <table>
      <thead>
        <tr><th scope="col">Place</th><th scope="col">Of</th><th scope="col">Seen by</th></tr>
      </thead>
      <tbody>
        ${game.places.map(
          (place) => html`<tr key=${`${place.owner} ${place.kind} ${place.name} ${place.indexed}`}>
            <td><code>${place.name}${place.indexed ? " N" : ""}</code></td>
            <td>${place.owner === "game" ? "the table" : `each ${place.owner}`}</td>
            <td>${place.seen_by}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The values that the rules declare: those that are a single number or word are changed here. */
function Constants({ constants, stale, change }) {
  return html`<h3>Settings</h3>
    <p class="soft small">Another value is written into the rules at once; <em>Undo</em> in the editor takes it back.</p>
    <table class="settings">
      <tbody>
        ${constants.map(
          (one) => html`<tr key=${one.name}>
            <th scope="row"><code>${one.name}</code>${one.about && html`<div class="soft small">${one.about}</div>`}</th>
            <td>
              ${one.plain
                ? html`<input
                    type=${WHOLE.test(one.value) ? "number" : "text"}
                    value=${one.value}
                    disabled=${stale}
                    aria-label=${one.name}
                    spellcheck=${false}
                    onChange=${(event) => change(one, event.currentTarget.value.trim())}
                  />`
                : html`<code>${one.value}</code>`}
            </td>
          </tr>`,
        )}
      </tbody>
    </table>`;
}

const WHOLE = /^-?\d+$/;
