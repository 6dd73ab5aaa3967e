// Shares of wins and mean points in words, with their intervals: a few games say little.

import { number, percent } from "../charts.js";

/** Says what stands in brackets. */
export const BRACKETS = "In brackets: the 95 % interval. After few games it is wide, since luck decides them.";

/** @param {{games: number, won: number, low: number | null, high: number | null}} standing */
export function wins({ games, won, low, high }) {
  if (games === 0) return "–";
  const share = percent(won / games);
  return low === null ? share : `${share} (${number(100 * low, 0)} to ${number(100 * high, 0)})`;
}

/** @param {{score: number, low: number | null, high: number | null}} means */
export function points({ score, low, high }) {
  return low === null ? number(score) : `${number(score)} (${number(low)} to ${number(high)})`;
}
