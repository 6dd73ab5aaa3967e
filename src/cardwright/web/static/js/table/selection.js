// What can be picked, and what a pick means: options as sets of cards and players. Nothing here draws.

/**
 * @typedef {{index: number, words: string, cards: number[], players: number[], draws: {place: string, at: number | null} | null, call: string}} Option
 * @typedef {{number: number, prompt: string, least: number, most: number, options: Option[]}} Decision
 * @typedef {{cards: ReadonlySet<number>, player: number | null}} Picked
 */

/** @type {Picked} */
export const NOTHING = Object.freeze({ cards: Object.freeze(new Set()), player: null });

/** Choices in words above which they stand in a list of their own height. */
export const MANY = 10;

/**
 * @param {{decision: Decision | null, reachable: (option: Option) => boolean}} act
 * @returns {boolean} whether such a list is asked, rather than cards of the table
 */
export function hasMany({ decision, reachable }) {
  return decision !== null && decision.options.filter((option) => !reachable(option)).length > MANY;
}

/**
 * @param {Option[]} options
 * @param {Picked} picked
 * @returns {Option[]} those that have all that is picked, and perhaps more
 */
export function matching(options, picked) {
  return options.filter(
    (option) =>
      (picked.player === null || option.players.includes(picked.player)) &&
      isSubset(picked.cards, option.cards),
  );
}

/**
 * @param {Option[]} options
 * @param {Picked} picked
 * @returns {Option[]} those of exactly the cards that are picked
 */
export function exact(options, picked) {
  return matching(options, picked).filter((option) => new Set(option.cards).size === picked.cards.size);
}

/**
 * @param {Option[]} options
 * @param {Picked} picked
 * @returns {Set<number>} the cards that can be picked now, instead of or besides those that are
 */
export function pickable(options, picked) {
  const found = new Set();
  for (const option of matching(options, picked)) for (const card of option.cards) found.add(card);
  for (const option of matching(options, { cards: NOTHING.cards, player: picked.player })) {
    if (picked.cards.size <= 1 || found.size === 0) for (const card of option.cards) found.add(card);
  }
  return found;
}

/**
 * @param {Option[]} options
 * @param {Picked} picked
 * @param {number} card one that can be picked
 * @returns {Picked} with the card, or without it if it was picked; where it does not go with the others, it alone
 */
export function toggled(options, picked, card) {
  const cards = new Set(picked.cards);
  if (cards.delete(card)) return { ...picked, cards };
  cards.add(card);
  const together = { ...picked, cards };
  const fitting = matching(options, together);
  if (fitting.length === 0) return { ...picked, cards: new Set([card]) };
  return { ...picked, cards: completed(fitting, cards) };
}

/** What must be picked too, since no option does without: the cards that all of these have. */
function completed(options, cards) {
  const sets = new Set(options.map((option) => [...option.cards].sort((a, b) => a - b).join()));
  return sets.size === 1 ? new Set(options[0].cards) : cards;
}

/**
 * @param {Option[]} options
 * @param {Picked} picked
 * @returns {Option | null} the option that a single pick leaves no doubt about, so that nothing is to be confirmed
 */
export function decided(options, picked) {
  if (picked.cards.size + (picked.player === null ? 0 : 1) !== 1) return null;
  const left = matching(options, picked);
  if (left.length !== 1) return null;
  return new Set(left[0].cards).size === picked.cards.size ? left[0] : null;
}

/**
 * @param {Option[]} options
 * @returns {boolean} whether any of them takes several cards
 */
export function takesSeveral(options) {
  return options.some((option) => option.cards.length > 1);
}

function isSubset(cards, array) {
  if (cards.size > array.length) return false;
  for (const card of cards) if (!array.includes(card)) return false;
  return true;
}
