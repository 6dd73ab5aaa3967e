// Scores: where everybody stands, and the score of every deal.

import { html } from "../dom.js";

/**
 * @param {{scene: any}} props
 */
export function Sheet({ scene }) {
  const { sheet, seats } = scene;
  if (sheet.totals === null && sheet.deals.length === 0)
    return html`<p class="soft">The scores are known at the end of the game.</p>`;
  return html`<div class="sheet" tabindex="0" role="region" aria-label="Scores">
    <table>
      <thead>
        <tr>
          <th scope="col">Deal</th>
          ${seats.map((seat) => html`<th scope="col" class="number" key=${seat.seat}>${seat.name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${sheet.deals.map(
          (deal, at) =>
            html`<tr key=${at}>
              <th scope="row">${at + 1}</th>
              ${deal.map((score, seat) => html`<td class="number" key=${seat}>${score}</td>`)}
            </tr>`,
        )}
      </tbody>
      ${
        sheet.totals !== null &&
        html`<tfoot>
        <tr>
          <th scope="row">Total</th>
          ${sheet.totals.map((score, seat) => html`<td class="number" key=${seat}>${score}</td>`)}
        </tr>
      </tfoot>`
      }
    </table>
    <p class="soft small">${whoWins(sheet)}</p>
  </div>`;
}

/** What scores mean. */
function whoWins({ shared, higher_wins: higher }) {
  return shared ? "All have the same score." : `The ${higher ? "highest" : "lowest"} score wins.`;
}

/**
 * The totals, and what the last deal brought.
 * @param {{scene: any, open: () => void}} props `open` shows all deals
 */
export function Standings({ scene, open }) {
  const { sheet, seats } = scene;
  if (sheet.totals === null) return html`<p class="soft">They are known at the end of the game.</p>`;
  const last = sheet.deals.at(-1);
  return html`<table class="standings">
      <thead>
        <tr>
          <th scope="col">Name</th>
          ${last && html`<th scope="col" class="number">Last deal</th>`}
          <th scope="col" class="number">Total</th>
        </tr>
      </thead>
      <tbody>
        ${seats.map(
          (seat) =>
            html`<tr key=${seat.seat}>
              <th scope="row">${seat.name}</th>
              ${last && html`<td class="number">${last[seat.seat]}</td>`}
              <td class="number">${sheet.totals[seat.seat]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="row spread small soft">
      <span>${whoWins(sheet)}</span>
      ${sheet.deals.length > 0 && html`<button class="quiet small" onClick=${open}>All deals</button>`}
    </p>`;
}
