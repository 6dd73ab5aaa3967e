// Kings, queens, knights and jacks: a half figure of few shapes, drawn twice, head up and head down.

import { html } from "../dom.js";
import { SUITS } from "./pips.js";

const HATS = {
  king: html`<path class="gold" d="M35.5 28.5 33 15.5l7.5 5L50 12l9.5 8.5 7.5-5-2.5 13Z" />
    <path class="line" d="M36 25.3h28" />
    <circle class="gold" cx="50" cy="11.5" r="2.6" /><circle class="gold" cx="33" cy="15" r="2" /><circle class="gold" cx="67" cy="15" r="2" />`,
  queen: html`<path class="gold" d="M37 27.5 35 19l5.5 3.5L44 16l6 4.5L56 16l3.5 6.5L65 19l-2 8.5Z" />
    <circle class="pearl" cx="44" cy="15" r="1.9" /><circle class="pearl" cx="56" cy="15" r="1.9" />
    <circle class="pearl" cx="35" cy="18" r="1.7" /><circle class="pearl" cx="65" cy="18" r="1.7" />
    <circle class="pearl" cx="50" cy="19.3" r="1.7" />`,
  knight: html`<path class="gold" d="M36.5 33c-1-10.5 4.5-17 13.5-17s14.5 6.5 13.5 17l-5-4.5H41.5Z" />
    <path class="suit" d="M50 16c1-5.5 9-6.5 13-1.5-4.5-1-8.5 0-10.5 3.5Z" />`,
  jack: html`<path class="suit" d="M34.5 27.5c-.5-8 6.5-12 16-11.5 8.5.4 14.5 4.5 15 11.5-9-3-22-3-31 0Z" />
    <path class="gold" d="M58 19.5c1.5-5.5 6.5-8.5 12-8-1 5-5.5 9.5-10.5 10.5Z" />
    <path class="line" d="M35 27.3c9-3.2 21-3.2 30 0" />`,
};

const HAIR = {
  king: html`<path class="hair" d="M38 27h24c2 6.5 1.5 12-1 16.5H39c-2.5-4.5-3-10-1-16.5Z" />`,
  queen: html`<path class="hair" d="M37 26h26c4 7 3 18 7 25.5-7 2.5-33 2.5-40 0C34 44 33 33 37 26Z" />`,
  knight: html`<path class="hair" d="M38 27h24c1.5 7 1 12-1.5 16h-21C37 39 36.5 34 38 27Z" />`,
  jack: html`<path class="hair" d="M36.5 25.5h27c1.5 7 2.5 13 .5 19H36c-2-6-1-12 .5-19Z" />`,
};

const FACE = html`<path class="skin" d="M41.5 28h17c1 9-1 18.5-8.5 18.5S40.5 37 41.5 28Z" />
  <path class="line thin" d="M44.5 34h3.5M52 34h3.5M50 35v4.5l-1.5.6M47.5 42.7c1.7.9 3.3.9 5 0" />`;

const BEARD = html`<path class="hair" d="M41.3 38c2.5 2.8 5 2.3 8.7 1.9 3.7.4 6.2.9 8.7-1.9.8 6-2.2 13.5-8.7 15.5-6.5-2-9.5-9.5-8.7-15.5Z" />
  <path class="line thin pale" d="M47.5 43.2c1.7.9 3.3.9 5 0" />`;

const ROBES = {
  king: html`<path class="suit" d="M22 70c.5-10 6-16.5 16-18.5L50 62l12-10.5C72 53.5 77.5 60 78 70Z" />
    <path class="gold" d="m37 51.7 13 12.8 13-12.8 4 2.3-17 16-17-16Z" />`,
  queen: html`<path class="suit" d="M22 70c1-9 6.5-15.5 17-18h22c10.5 2.5 16 9 17 18Z" />
    <path class="gold" d="M40 51.5c2 6.5 5.5 9.5 10 9.5s8-3 10-9.5l3.2.9C61.5 61 56.5 65.5 50 65.5S38.5 61 36.8 52.4Z" />
    <circle class="pearl" cx="50" cy="63.2" r="1.8" />`,
  knight: html`<path class="suit" d="M22 70c.5-10.5 7-16 18-18h20c11 2 17.5 7.5 18 18Z" />
    <path class="gold" d="M47.5 51.5h5V70h-5ZM30 56.5l4-2 4 15.5h-4.5ZM70 56.5l-4-2L62 70h4.5Z" />`,
  jack: html`<path class="suit" d="M22 70c.5-10 6.5-16 17-18h22c10.5 2 16.5 8 17 18Z" />
    <path class="gold" d="M39 51.5h22l-4.5 6.5L50 54.5 43.5 58ZM66 55l4 2.5L49 70h-8.5Z" />`,
};

/**
 * @param {{court: string, suit: string | null}} props
 */
export function Court({ court, suit }) {
  const half = html`${HAIR[court]}${FACE}${court === "king" ? BEARD : null}${ROBES[court]}${HATS[court]}
    ${suit && html`<path class="suit" d=${SUITS[suit]} transform="translate(22.5 17) scale(0.54)" />`}`;
  return html`<g class="court">
    <rect class="frame" x="20" y="12" width="60" height="116" rx="3" />
    <g>${half}</g>
    <g transform="rotate(180 50 70)">${half}</g>
    <path class="line" d="M20.5 70h59" />
  </g>`;
}
