// The units of judgements, as people read them.

/** @type {Record<string, {scale: number, digits: number, one: string, many: string}>} */
const UNITS = {
  points: { scale: 1, digits: 1, one: "point", many: "points" },
  margin: { scale: 1, digits: 1, one: "point against the others", many: "points against the others" },
  rank: { scale: 100, digits: 0, one: "% of the places", many: "% of the places" },
  win: { scale: 100, digits: 0, one: "% of the wins", many: "% of the wins" },
  reward: { scale: 100, digits: 0, one: "% of what is at stake", many: "% of what is at stake" },
};
const OTHER = { scale: 1, digits: 2, one: "", many: "" };

/**
 * @param {number} lost
 * @param {string} unit
 * @returns {string} the number alone
 */
export function amount(lost, unit) {
  const { scale, digits } = UNITS[unit] ?? OTHER;
  return (lost * scale).toFixed(digits);
}

/**
 * @param {number} lost
 * @param {string} unit
 * @returns {string} as in "1.3 points"
 */
export function inWords(lost, unit) {
  const number = amount(lost, unit);
  const { one, many } = UNITS[unit] ?? OTHER;
  return `${number} ${Number(number) === 1 ? one : many}`.trim();
}

/** @returns {string} the name of a unit, as the label of an axis */
export function unitName(unit) {
  return (UNITS[unit] ?? OTHER).many;
}
