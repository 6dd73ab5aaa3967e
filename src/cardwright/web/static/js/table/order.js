// How a hand is sorted: by suit, black and red in turn, or by rank; within these as the deck has them.

import { lookOf } from "../cards/decks.js";

const SUITS = ["trumps", "spades", "hearts", "clubs", "diamonds", "cups", "swords", "coins", "batons"];
const COLOURS = ["yellow", "blue", "white", "green", "red"];

/**
 * @param {import("../cards/decks.js").Face[]} hand
 * @param {"suit" | "rank"} by
 */
export function sorted(hand, by) {
  const keys = new Map(hand.map((face) => [face.id, keyOf(face)]));
  const places = by === "rank" ? ["rank", "suit", "id"] : ["suit", "id", "rank"];
  return [...hand].sort((one, other) => {
    const [a, b] = [keys.get(one.id), keys.get(other.id)];
    for (const place of places) if (a[place] !== b[place]) return a[place] - b[place];
    return 0;
  });
}

const laid = new WeakMap();

/**
 * @param {any} scene
 * @returns {import("../cards/decks.js").Face[]} one's hand as the game has it: groups first, then the cards that are left
 */
export function laidOut(scene) {
  if (scene.groups === null || scene.groups.groups.length === 0) return scene.hand;
  if (!laid.has(scene)) {
    const faces = new Map(scene.hand.map((face) => [face.id, face]));
    const grouped = scene.groups.groups.flat();
    const left = scene.hand.filter(({ id }) => !grouped.includes(id));
    laid.set(scene, [...grouped.map((id) => faces.get(id)), ...left]);
  }
  return laid.get(scene);
}

/** @returns {boolean} whether there is more than one suit or colour, so that the two orders differ */
export function hasSuits(hand) {
  return hand.some((face) => keyOf(face).suit < SUITS.length + COLOURS.length);
}

function keyOf(face) {
  const look = lookOf(face);
  const suit = look.suit !== null ? SUITS.indexOf(look.suit) : COLOURS.indexOf(look.colour);
  const courts = { jack: 11, knight: 12, queen: 13, king: 14 };
  return {
    suit: suit < 0 ? SUITS.length + COLOURS.length : suit + (look.suit === null ? SUITS.length : 0),
    rank: look.index === "A" ? 15 : (courts[look.court] ?? look.number ?? 99),
    id: face.id,
  };
}
