// The moves of a replay: in sentences, with what they lose, and where their deals begin and end.

import { amount, inWords } from "../units.js";

/** A move as a sentence; names are as they are. */
export function moved(event, names) {
  return closed(`${names[event.seat]} ${event.words}`);
}

export function sentence(words) {
  return closed(words.charAt(0).toUpperCase() + words.slice(1));
}

function closed(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** What a move loses, by what the judge chooses by, and beside it in points where that is something else. */
export function lostInWords({ lost, units, errors }) {
  const [first, ...others] = units.map((unit, at) => [lost[at], unit, errors[at]]);
  const beside = others
    .filter(([value, unit]) => value !== null && amount(value, unit) !== amount(0, unit))
    .map(([value, unit, error]) => {
      const words = inWords(Math.abs(value), unit, error);
      return `(${value > 0 ? words : `and gains ${words}`} in the ${unit.scope})`;
    });
  return [inWords(...first), ...beside].join(" ");
}

/** @returns {number} where the deal of a move begins, or the one before if that is here */
export function dealBefore(outline, move) {
  return outline.deals.findLast((start) => start < move) ?? 0;
}

/** @returns {number} where the next deal begins, or the end */
export function dealAfter(outline, move) {
  return outline.deals.find((start) => start > move) ?? outline.moves.length;
}
