// The trick in the middle: each card before its seat, with words for those who listen.

import { Card } from "../cards/card.js";
import { html } from "../dom.js";

/**
 * @param {{trick: any, seats: any[], places: Map<number, [number, number]>}} props `places` are the directions from the
 *   middle to the seats, as parts of the middle's size
 */
export function Trick({ trick, seats, places }) {
  return html`<ol class="trick" aria-label="Trick">
    ${trick.cards.map(({ seat, card }) => {
      const [x, y] = places.get(seat);
      const best = trick.winner === seat;
      return html`<li
        key=${card.id}
        class=${best ? "best" : ""}
        style=${{ "--x": String(x), "--y": String(y), "--turn": `${turnOf(x, card.id)}deg` }}
      >
        <span class="unseen">${`${seats[seat].name}: ${card.name}${best ? ", the best so far" : ""}`}</span>
        <${Card} face=${card} silent />
      </li>`;
    })}
  </ol>`;
}

/** Cards lie a little askew, each in its own way. */
function turnOf(x, id) {
  return x * 7 + ((id * 37) % 7) - 3;
}
