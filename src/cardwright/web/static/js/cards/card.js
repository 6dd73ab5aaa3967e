// One card, its face or its back, sized by the CSS variable `--card` (its width). Narrow cards show
// large indices instead of pips (css/cards.css).

import { createContext, html, useContext } from "../dom.js";
import { Court } from "./courts.js";
import { lookOf } from "./decks.js";
import { LAYOUTS, SUITS, placed } from "./pips.js";

/** @typedef {import("./decks.js").Face} Face */

/** Whether the cards below are of a Latin deck. */
export const Latin = createContext(false);

/**
 * A face-up card. What it is called is told to screen readers, unless `silent`: then what is around it does.
 * @param {{face: Face, silent?: boolean, class?: string}} props
 */
export function Card({ face, silent, class: style = "", ...rest }) {
  const look = lookOf(face, useContext(Latin));
  const voice = silent ? { "aria-hidden": "true" } : { role: "img", "aria-label": face.name };
  return html`<span
    class=${`card ${look.kind} ${style}`}
    data-suit=${look.suit}
    data-colour=${look.colour ?? (look.kind === "number" ? `n${look.number % 7}` : null)}
    data-card=${face.id}
    ...${voice}
    ...${rest}
    >${DRAWN[look.kind](look)}</span
  >`;
}

/**
 * The back of a card.
 * @param {{class?: string}} props
 */
export function Back({ class: style = "", ...rest }) {
  return html`<span class=${`card back ${style}`} aria-hidden="true" ...${rest}></span>`;
}

const DRAWN = { suited: Suited, trump: Trump, joker: Joker, number: Numbered, name: Named };

function Suited(look) {
  const pip = SUITS[look.suit];
  return html`<svg viewBox="0 0 100 140">
    <g class="detailed">
      <${Corners} index=${look.index} pip=${pip} />
      ${
        look.court
          ? html`<${Court} court=${look.court} suit=${look.suit} />`
          : (LAYOUTS[look.number] ?? LAYOUTS[1]).map(
              ([x, y]) =>
                html`<path class="suit" key=${`${x} ${y}`} d=${pip} transform=${placed(x, y, look.number === 1 ? 46 : 18.5)} />`,
            )
      }
    </g>
    <${Plain} index=${look.index} pip=${pip} />
  </svg>`;
}

function Trump(look) {
  return html`<svg viewBox="0 0 100 140">
    <g class="detailed">
      <${Corners} index=${look.index} pip=${SUITS.trumps} />
      <rect class="frame" x="22" y="16" width="56" height="108" rx="28" />
      <text class="big" x="50" y="71">${look.index}</text>
      <text class="caption" x="50" y="96" ...${fitted(look.title, 44, 8)}>${look.title}</text>
    </g>
    <${Plain} index=${look.index} pip=${SUITS.trumps} />
  </svg>`;
}

function Joker(look) {
  return html`<svg viewBox="0 0 100 140">
    <g class="detailed">
      <rect class="frame" x="12" y="14" width="76" height="112" rx="6" />
      <path class="suit" d="M28 66c2-22 12-26 18-14 3-14 14-16 16-2 8-8 16 0 12 16-6-5-12-4-14 4-5-7-12-7-16 0-4-8-10-9-16-4Z" />
      <circle class="gold" cx="27" cy="68" r="4" /><circle class="gold" cx="75" cy="68" r="4" /><circle class="gold" cx="50" cy="40" r="4" />
      <path class="skin" d="M36 72c4-6 24-6 28 0 1 12-6 22-14 22s-15-10-14-22Z" />
      <path class="line" d="M43 78h3M54 78h3M44 86c4 3.5 8 3.5 12 0" />
      <text class="caption" x="50" y="116">JOKER</text>
    </g>
    <${Plain} index="★" pip=${SUITS.trumps} />
  </svg>`;
}

function Numbered(look) {
  return html`<svg viewBox="0 0 100 140">
    <rect class="ground" x="7" y="7" width="86" height="126" rx="6" />
    <g class="detailed">
      <text class="index" x="18" y="23">${look.index}</text>
      <text class="index" x="18" y="23" transform="rotate(180 50 70)">${look.index}</text>
    </g>
    ${
      look.number === null
        ? html`<text class="word" x="50" y="70" ...${fitted(look.title, 74, 17)}>${look.title}</text>`
        : html`<text class="numeral" x="50" y="70">${look.index}</text>`
    }
    <g class="simple"><text class="edge-index" x="9" y="26">${look.index}</text></g>
  </svg>`;
}

function Named(look) {
  const words = look.title.split(/\s+/);
  const longest = Math.max(...words.map((word) => word.length), 1);
  const size = Math.max(6.5, Math.min(15, 118 / longest));
  return html`<span class="emblem" style=${{ "--tint": String(hue(look.title)) }}>
    <span class="edge">${look.index}</span>
    <span class="letter">${look.index}</span>
    <span class="title" style=${{ fontSize: `${size}cqw` }}>${look.title}</span>
    ${look.others
      .slice(0, 4)
      .map(
        ([key, value]) =>
          html`<span class="attribute" key=${key}>${value.toLowerCase().replaceAll("_", " ")}</span>`,
      )}
  </span>`;
}

/** The indices in two corners. */
function Corners({ index, pip }) {
  const corner = html`<text class="index" x="10.5" y="16.5" ...${index.length > 1 ? { textLength: 16, lengthAdjust: "spacingAndGlyphs" } : {}}>${index}</text>
    <path class="suit" d=${pip} transform=${placed(10.5, 34, 12.5)} />`;
  return html`${corner}<g transform="rotate(180 50 70)">${corner}</g>`;
}

/** The face of a small card: an index that can be read in a fan, and one large pip. */
function Plain({ index, pip }) {
  return html`<g class="simple">
    <text class="large" x="25" y="31" ...${index.length > 1 ? { textLength: 40, lengthAdjust: "spacingAndGlyphs" } : {}}>${index}</text>
    <path class="suit" d=${pip} transform=${placed(25, 68, 32)} />
    <path class="suit" d=${pip} transform="translate(64 104) scale(2.3) translate(-12 -12)" />
  </g>`;
}

function fitted(text, width, size) {
  return text.length * size * 0.55 > width ? { textLength: width, lengthAdjust: "spacingAndGlyphs" } : {};
}

/** A colour for a word, the same everywhere. */
function hue(word) {
  let sum = 7;
  for (const letter of word) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return sum;
}
