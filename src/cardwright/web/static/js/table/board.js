// The table as a scene has it: seats around the middle, what lies there, and one's own hand. It draws any scene:
// of a game in play, of spectators, of a replay.

import { html, useLayoutEffect, useRef } from "../dom.js";
import { Latin } from "../cards/card.js";
import { hasLatin } from "../cards/decks.js";
import { Signed, Signs } from "../cards/signs.js";
import { Calls } from "./calls.js";
import { shownFaces } from "./faces.js";
import { Hand } from "./hand.js";
import { deal, play } from "./motion.js";
import { laidOut } from "./order.js";
import { OfTricks, Piles } from "./piles.js";
import { hasMany } from "./selection.js";
import { OwnPlace, OwnPlaque, Seat } from "./seat.js";
import { Track } from "./tracks.js";
import { Trick } from "./trick.js";

/** @typedef {import("./acts.js").Acts} Acts */

/** Between tricks their place stays as it is. */
const NO_CARDS = { cards: [], winner: null };

/**
 * @param {{scene: any, act: Acts, hand?: any[], before?: import("./motion.js").Snapshot | null, sweep?: any, box?: any, calls?: any[], children?: any}} props
 *   `hand` is one's own hand as it is sorted here; `before` is a snapshot from which cards move; `calls` are those
 *   of an auction; the children stand above the hand
 */
export function Board({ scene, act, hand = laidOut(scene), before = null, sweep, box, calls = [], children }) {
  const own = useRef(null);
  const place = box ?? own;
  const held = useRef(scene.hand.length);
  useLayoutEffect(() => {
    if (!before || !place.current) return;
    const seatOf = (id) => scene.trick?.cards.find(({ card }) => String(card.id) === id)?.seat ?? null;
    play(place.current, before, { from: seatOf, taker: sweep?.taker ?? null, taken: sweep?.cards ?? [] });
    if (scene.hand.length > held.current + 1) dealt(place.current);
    held.current = scene.hand.length;
  }, [scene]);
  const tricks = Boolean(scene.trick || scene.last);
  const between = scene.last !== null && calls.length === 0 ? NO_CARDS : null;
  const trick = scene.trick ?? (scene.over === null ? between : scene.last);
  const latin = useRef(false);
  latin.current ||= hasLatin(shownFaces(scene));
  const many = useRef(false);
  many.current ||= hasMany(act);
  const facts = scene.warning === null ? scene.facts : [...scene.facts, scene.warning];
  const hadCards = useRef(false);
  hadCards.current ||= hand.length > 0;
  const sides = around(scene);
  const playing = scene.seat !== null;
  return html`<${Latin.Provider} value=${latin.current}><${OfTricks.Provider} value=${tricks}><div class=${`board ${many.current ? "many" : ""}`} ref=${place} data-seats=${scene.seats.length}>
    <div class=${`felt ${tricks ? "tricks" : ""}`}>
      ${["left", "top", "right"].map(
        (side) =>
          html`<div class=${`side ${side}`} key=${side}>
            ${sides[side].map((seat) => html`<${Seat} key=${seat.seat} seat=${seat} scene=${scene} act=${act} />`)}
          </div>`,
      )}
      <div class="middle">
        ${scene.signs.length > 0 && html`<${Signs} signs=${scene.signs} />`}
        ${trick && html`<${Trick} trick=${trick} seats=${scene.seats} places=${sides.places} />`}
        ${calls.length > 0 && html`<${Calls} calls=${calls} seats=${scene.seats} />`}
        ${scene.piles.length > 0 && html`<${Piles} piles=${scene.piles} act=${act} class="shared" />`}
        ${
          facts.length > 0 &&
          html`<ul class="facts shared">
          ${facts.map((fact) => html`<li key=${fact}><${Signed} text=${fact} /></li>`)}
        </ul>`
        }
        ${scene.sides.length > 0 && html`<${Sides} sides=${scene.sides} />`}
        ${scene.tracks.map((track) => html`<${Track} key=${track.name} track=${track} />`)}
      </div>
      <div class="side bottom">
        ${playing ? html`<${OwnPlace} seat=${sides.bottom} act=${act} />` : html`<${Seat} seat=${sides.bottom} scene=${scene} act=${act} />`}
      </div>
    </div>
    ${
      playing &&
      html`<div class="own-bar"><${OwnPlaque} seat=${sides.bottom} scene=${scene} act=${act} />${children}</div>
      ${(hand.length > 0 || (scene.over === null && scene.deal_end === null && (hadCards.current || handsAreHeld(scene)))) && html`<${Hand} cards=${hand} groups=${groupsOf(scene, hand)} fresh=${scene.new} act=${act} active=${act.decision !== null} />`}`
    }
  </div></${OfTricks.Provider}></${Latin.Provider}>`;
}

/** Whether anybody holds cards: else a hand that was always empty is nothing to speak of. */
function handsAreHeld(scene) {
  return scene.seats.some(({ cards, hand }) => cards > 0 || hand.length > 0);
}

/** The groups of one's hand, while it is laid by them. */
function groupsOf(scene, hand) {
  return scene.groups !== null && hand === laidOut(scene) ? scene.groups : null;
}

/** What is shown of the sides. */
function Sides({ sides }) {
  return html`<ul class="sides">
    ${sides.map(
      ({ team, name, facts }) =>
        html`<li key=${team} data-team=${team}><b>${name}</b> ${facts.map((fact) => html`<span key=${fact}><${Signed} text=${fact} /></span>`)}</li>`,
    )}
  </ul>`;
}

function dealt(board) {
  const middle = board.querySelector(".middle").getBoundingClientRect();
  deal([...board.querySelectorAll(".hand .card")], middle);
}

/** How many sit left, above and right, by how many others there are. */
const SHARES = [
  [0, 0, 0],
  [0, 1, 0],
  [1, 0, 1],
  [1, 1, 1],
  [1, 2, 1],
  [1, 3, 1],
  [2, 2, 2],
  [2, 3, 2],
];

/**
 * Who sits where, clockwise from the bottom, where the eyes of the scene are.
 * @param {any} scene
 */
export function around(scene) {
  const count = scene.seats.length;
  const first = scene.seat ?? 0;
  const order = scene.seats.map((_, at) => scene.seats[(first + at) % count]);
  const [bottom, ...others] = order;
  const [left, top] = SHARES[others.length] ?? [Math.floor(others.length / 3), Math.ceil(others.length / 3)];
  const places = new Map([[bottom.seat, [0, 1]]]);
  others.forEach((seat, at) => {
    const angle = Math.PI * (0.5 + (2 * (at + 1)) / count);
    places.set(seat.seat, [round(Math.cos(angle)), round(Math.sin(angle))]);
  });
  return {
    bottom,
    left: others.slice(0, left),
    top: others.slice(left, left + top),
    right: others.slice(left + top),
    places,
  };
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
