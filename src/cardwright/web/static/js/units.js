// Estimates and what is lost, as people read them. The server says of each number what it is.

/** @typedef {{measure: string, scope: string, higher_is_better: boolean, percent: boolean, words: string}} Unit */

/**
 * @param {number | null | undefined} value
 * @param {Unit} unit
 * @returns {string} the number alone: "31.4 %", "2.4", or a dash for an unknown one
 */
export function amount(value, { percent }) {
  if (value === null || value === undefined) return "–";
  return percent ? `${(100 * value).toFixed(1)} %` : value.toFixed(1);
}

const LOSSES = {
  points: (number) => `${number} ${Number(number) === 1 ? "point" : "points"}`,
  margin: (number) => `${number} ${Number(number) === 1 ? "point" : "points"} against the others`,
  rank: (number) => `${number} of the places`,
  win: (number, scope) => `${number} of the chance to ${scope === "deal" ? "do best in the deal" : `win the ${scope}`}`,
  reward: (number) => `${number} of what is at stake`,
};

/**
 * @param {number} lost
 * @param {Unit} unit
 * @returns {string} as in "1.3 points"
 */
export function inWords(lost, unit) {
  return LOSSES[unit.measure](amount(lost, unit), unit.scope);
}
