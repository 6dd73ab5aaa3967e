// Sentences about persons and numbers.

/**
 * @param {number} number
 * @param {string} noun in the singular, which has a plural with an s
 * @returns {string} as in "1 card" and "3 cards"
 */
export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * @param {string[]} names
 * @returns {string} as in "Ann, Bo and Cy"
 */
export function listed(names) {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
}

/**
 * @param {{seat: number, name: string}} seat
 * @returns {boolean} whether nobody has said a name there
 */
export function nameless({ seat, name }) {
  return name === `Player ${seat + 1}`;
}
