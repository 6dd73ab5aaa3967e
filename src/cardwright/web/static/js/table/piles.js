// Piles: face-up cards spread, hidden ones counted; cards that can be chosen there are buttons.

import { pileKey } from "./acts.js";
import { Back, Card } from "../cards/card.js";
import { Signed } from "../cards/signs.js";
import { HintMark } from "./hint.js";
import { createContext, html, useContext, useState } from "../dom.js";
import { sorted } from "./order.js";

const SPREAD = 9;
const LEAST_FOLDED = 2; /* cards of a pile that is folded in a game of tricks, where those won are many and over */

/** The looks of piles that are laid out by suit. */
const STYLES = { LAYOUT: "layout", HAND: "hand-pile" };

/** Whether the game is one of tricks. */
export const OfTricks = createContext(false);

/**
 * Piles in a row; those of one name, such as the places of a grid, stay together and in order.
 * @param {{piles: any[], act: import("./board.js").Acts, class?: string}} props
 */
export function Piles({ piles, act, class: style = "" }) {
  const groups = new Map();
  for (const pile of piles) groups.set(pile.name, [...(groups.get(pile.name) ?? []), pile]);
  return html`<div class=${`piles ${style}`}>
    ${[...groups].map(([name, group]) =>
      group.length === 1
        ? html`<${Pile} key=${name} pile=${group[0]} act=${act} />`
        : html`<${Group} key=${name} name=${name} piles=${group} act=${act} />`,
    )}
  </div>`;
}

function Group({ name, piles, act }) {
  const inOrder = [...piles].sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
  const note = piles.every((pile) => pile.note === piles[0].note) && piles[0].note;
  const single = inOrder.every((pile) => pile.cards.length + pile.hidden <= 1);
  return html`<figure class=${`pile group ${single && piles.length % 3 === 0 ? "grid" : ""}`} aria-label=${name}>
    <div class="heap">${inOrder.map((pile) => html`<${Pile} key=${pile.at} pile=${pile} act=${act} inGroup />`)}</div>
    <figcaption>${note ? html`<span class="note"><${Signed} text=${note} /></span>` : name}</figcaption>
  </figure>`;
}

function Pile({ pile, act, inGroup }) {
  const [open, setOpen] = useState(false);
  const name = pile.at === null ? pile.name : `${pile.name} ${pile.at + 1}`;
  const tricks = useContext(OfTricks);
  const suits = pile.shape === "suits" ? "layout" : !pile.shape && STYLES[pile.place.match(/ (LAYOUT|HAND)$/)?.[1]];
  const folded = pile.shape === "count" || (!pile.shape && !suits && tricks && pile.cards.length >= LEAST_FOLDED);
  const most = folded ? 0 : ({ top: 1, last: pile.shown, row: pile.cards.length }[pile.shape] ?? SPREAD);
  const kept = most > 0 ? pile.cards.slice(-most) : [];
  const wanted = suits || pile.cards.some((face) => act.lit.has(face.id) && !kept.includes(face));
  const shown = open || wanted ? pile.cards : kept;
  const left = pile.cards.length - shown.length;
  const count = pile.cards.length + pile.hidden;
  const note = pile.note && html`<span class="note"><${Signed} text=${pile.note} /></span>`;
  const closed = folded && !wanted;
  return html`<figure class=${`pile ${suits || ""}`} aria-label=${`${name}, ${count} ${count === 1 ? "card" : "cards"}`}>
    <div class="heap">
      ${pile.hidden > 0 && html`<${FaceDown} pile=${pile} act=${act} />`}
      ${
        shown.length > 0 &&
        (suits ? bySuit(pile.cards) : [shown]).map(
          (row) =>
            html`<span class="spread" key=${suits ? row[0].suit : "all"}>
            ${row.map((face) => html`<${TableCard} key=${face.id} face=${face} act=${act} />`)}
          </span>`,
        )
      }
    </div>
    ${!inGroup && !closed && html`<figcaption>${note || name}</figcaption>`}
    ${
      pile.cards.length > most &&
      !wanted &&
      html`<button class="quiet small more" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${closed ? note || `${name}: ${pile.cards.length}` : open ? "Show fewer" : `${left} more`}<span class="unseen">${closed ? "" : ` of ${name}`}</span>
    </button>`
    }
  </figure>`;
}

/** The hidden cards of a pile: a button where one may be drawn from there. */
function FaceDown({ pile, act }) {
  const draw = act.draws.get(pileKey(pile));
  const cards = html`<span class="face-down" data-deep=${Math.min(3, Math.ceil(pile.hidden / 8))}
    ><${Back} />${pile.hidden > 1 && html`<span class="count" aria-hidden="true">${pile.hidden}</span>`}</span
  >`;
  if (!draw) return cards;
  return html`<button class="card-button on-table" onClick=${() => act.choose(draw)}><span class="unseen">${draw.words}</span><${HintMark} mark=${act.advice?.options.get(draw.index)} />${cards}</button>`;
}

/** The cards of a layout or an open hand, each suit in a row of its own. */
function bySuit(cards) {
  const rows = new Map();
  for (const face of sorted(cards, "suit")) rows.set(face.suit, [...(rows.get(face.suit) ?? []), face]);
  return [...rows.values()];
}

/** A card on the table: a button where it can be chosen. */
export function TableCard({ face, act }) {
  if (!act.lit.has(face.id)) return html`<${Card} face=${face} />`;
  const picked = act.picked.cards.has(face.id);
  return html`<button class=${`card-button on-table ${picked ? "picked" : ""}`} aria-pressed=${picked} onClick=${() => act.card(face.id)}>
    <span class="unseen">${face.name}</span>
    <${HintMark} mark=${act.advice?.cards.get(face.id)} />
    <${Card} face=${face} silent />
  </button>`;
}
