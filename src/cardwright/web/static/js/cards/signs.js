// Signs of suits, in their colours: within texts, and drawn large.

import { html } from "../dom.js";
import { SUITS } from "./pips.js";

const NAMES = { "♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades" };

/**
 * A text with the signs in it.
 * @param {{text: string}} props
 */
export function Signed({ text }) {
  return text
    .split(/([♣♦♥♠])/)
    .map((part) =>
      part in NAMES
        ? html`<span class="suit-sign" data-suit=${NAMES[part]} role="img" aria-label=${NAMES[part]}>${part}</span>`
        : part,
    );
}

/**
 * What is to be seen at a glance all the time, such as the trump suit.
 * @param {{signs: {sign: string, words: string}[]}} props
 */
export function Signs({ signs }) {
  return html`<ul class="signs">
    ${signs.map(({ sign, words }) => {
      const pip = NAMES[sign] ?? sign;
      return html`<li key=${words}>
        <span class="suit-sign" data-suit=${pip} aria-hidden="true">${
          pip in SUITS ? html`<svg viewBox="0 0 24 24"><path d=${SUITS[pip]} /></svg>` : sign
        }</span>
        <span>${words}</span>
      </li>`;
    })}
  </ul>`;
}
