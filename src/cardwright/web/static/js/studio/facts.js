// What the program itself says of its game.

import { html } from "../dom.js";

/** @param {{game: any, stale: boolean}} props */
export function Facts({ game, stale }) {
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
    ${game.constants.length > 0 &&
    html`<h3>Constants</h3>
      <dl>
        ${game.constants.map(
          (one) => html`<dt key=${one.name}><code>${one.name}</code></dt>
            <dd>${one.value}</dd>`,
        )}
      </dl>`}
  </div>`;
}
