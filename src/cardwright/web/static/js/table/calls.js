// The calls of an auction, before the first card is played: a column for each seat, a row for each round.

import { Signed } from "../cards/signs.js";
import { html, useLayoutEffect, useRef } from "../dom.js";
import { dealsOf } from "./log.js";

/** Hidden cards are always counted in words, so that a move of any card says so. */
const OF_CARDS = /\bcards?\b/;

/** What is said in auctions, in games without words for calls. */
const BIDDING = /^(bids?|pass(es)?|holds?)\b/;

/**
 * @param {any[]} events
 * @returns {{seat: number, words: string}[]} what was bid in this deal, if nothing else was done in it
 */
export function callsOf(events) {
  let moves = [];
  for (const event of dealsOf(events).at(-1)) {
    if (event.kind === "move") moves.push(event);
    else if (event.kind === "table" && event.number !== null)
      moves = moves.filter(({ number }) => number < event.number);
  }
  const silent = ({ words, cards, changes }) =>
    cards.length === 0 && ![words, ...changes].some((text) => OF_CARDS.test(text));
  const bid = ({ words, call }) => call || BIDDING.test(words);
  return moves.every(silent) && moves.some(bid) ? moves.map(({ seat, words, call }) => ({ seat, words: call || short(words) })) : [];
}

/** A call as it is written in a table: `bids 1 in hearts` is `1 in hearts`. */
function short(words) {
  return words.replace(/^bids? /, "").replace(/^passes$/, "pass");
}

/** @param {{calls: {seat: number, words: string}[], seats: any[]}} props */
export function Calls({ calls, seats }) {
  const box = useRef(null);
  useLayoutEffect(() => {
    box.current.scrollTop = box.current.scrollHeight;
  }, [calls.length]);
  const first = calls[0].seat;
  const order = seats.map((_, at) => seats[(first + at) % seats.length]);
  const bids = calls.filter(({ words }) => /\d/.test(words));
  const best = (bids.length > 0 ? bids : calls).findLast(({ words }) => words !== "pass");
  return html`<div class="calls" ref=${box} tabindex="0" role="region" aria-label="Calls">
    <table>
      <thead>
        <tr>
          ${order.map(({ seat, name, team }) => html`<th scope="col" key=${seat} data-team=${team}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rounds(calls, order).map(
          (round, at) =>
            html`<tr key=${at}>
              ${order.map(({ seat }) => {
                const call = round.get(seat);
                return html`<td key=${seat} class=${call && call === best ? "best" : ""}>${call && html`<${Signed} text=${call.words} />`}</td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Calls by seat, round by round; who has dropped out leaves a gap. */
function rounds(calls, order) {
  const places = new Map(order.map(({ seat }, at) => [seat, at]));
  const found = [];
  let last = order.length;
  for (const call of calls) {
    const place = places.get(call.seat);
    if (place <= last) found.push(new Map());
    found.at(-1).set(call.seat, call);
    last = place;
  }
  return found;
}
