// Estimates and what is lost, as people read them. The server says of each number what it is.

/** @typedef {{measure: string, scope: string, higher_is_better: boolean, percent: boolean, noun: string, words: string}} Unit */

/**
 * @param {number | null | undefined} value
 * @param {Unit} unit
 * @param {number | null} [error] by how much it may be wrong
 * @returns {string} the number alone: "31.4 %", "2.4 ± 0.3", or a dash for an unknown one
 */
export function amount(value, { percent }, error = null) {
  if (value === null || value === undefined) return "–";
  const numbers = error === null ? [value] : [value, error];
  const told = numbers.map((one) => (percent ? 100 * one : one).toFixed(1)).join(" ± ");
  return percent ? `${told} %` : told;
}

const LOSSES = {
  points: (number, { noun }) => `${number} ${Number(number) === 1 ? noun : `${noun}s`}`,
  margin: (number, unit) => `${LOSSES.points(number, unit)} against the others`,
  rank: (number) => `${number} of the places`,
  win: (number, { scope }) => `${number} of the chance to ${scope === "deal" ? "do best in the deal" : `win the ${scope}`}`,
  reward: (number) => `${number} of what is at stake`,
};

/**
 * @param {number} lost
 * @param {Unit} unit
 * @param {number | null} [error]
 * @returns {string} as in "1.3 points", "1.3 ± 0.2 points"
 */
export function inWords(lost, unit, error = null) {
  return LOSSES[unit.measure](amount(lost, unit, error), unit);
}
