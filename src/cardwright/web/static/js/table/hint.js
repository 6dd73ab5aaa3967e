// A hint on the table itself: choices are marked with what the player for hints expects of them, the best by a star.

import { html, useEffect, useState } from "../dom.js";
import { amount } from "../units.js";

/**
 * @typedef {{best: import("./selection.js").Option | null, cards: Map<number, Mark>, options: Map<number, Mark>, said: string, bad?: boolean}} Advice
 *   marks by the number of a card, and by that of an option
 * @typedef {{text: string, best: boolean}} Mark
 */

/**
 * @param {any} feed
 * @param {any} scene
 * @returns {{advice: Advice | null, possible: boolean, toggle: () => void, clear: () => void}}
 */
export function useHint(feed, scene) {
  const [asked, setAsked] = useState(null);
  const number = scene.decision?.number;
  useEffect(() => setAsked(null), [number]);
  const possible = scene.hints && (scene.decision?.options.length ?? 0) > 1;
  const toggle = async () => {
    if (!possible || asked !== null) return setAsked(null);
    setAsked({ number, advice: { ...NOTHING, said: "Thinking …" } });
    const settle = (advice) => setAsked((now) => (now?.number === number ? { number, advice } : now));
    try {
      settle(adviceOf(await feed.act("hint"), scene.decision.options));
    } catch (error) {
      settle({ ...NOTHING, said: error.message, bad: true });
    }
  };
  const advice = asked?.number === number ? asked?.advice ?? null : null;
  return { advice, possible, toggle, clear: () => setAsked(null) };
}

const NOTHING = { best: null, cards: new Map(), options: new Map(), said: "" };

/** @returns {Advice} what is marked and said */
function adviceOf({ option, estimates, sure }, options) {
  const best = options[option];
  const ordered = estimates.toSorted((one, other) => Number(ofGame(other)) - Number(ofGame(one)));
  const [shown] = ordered;
  const marks = new Map();
  for (const { index } of options) {
    const value = shown?.values[index] ?? null;
    if (value !== null || index === option)
      marks.set(index, { text: value === null ? "" : amount(value, shown.unit), best: index === option });
  }
  const expected = ordered
    .filter(({ values }) => values[option] !== null)
    .map(({ unit, values, errors }) => `${amount(values[option], unit, errors[option])} ${unit.words}`);
  const told = expected.length > 0 ? `${best.words}: ${expected.join("; ")}` : best.words;
  return { best, cards: cardMarks(options, marks, best), options: marks, said: `Hint: ${told}. ${sure}` };
}

/** Whether estimates are in what scores of the game count. */
function ofGame({ unit: { measure } }) {
  return measure === "points" || measure === "margin";
}

/** Marks of cards: those of the choices that take one card alone, and all cards of the best choice. */
function cardMarks(options, marks, best) {
  const found = new Map();
  for (const { index, cards } of options) {
    const mark = marks.get(index);
    if (mark && cards.length === 1 && (mark.best || !found.has(cards[0]))) found.set(cards[0], mark);
  }
  for (const card of best.cards) found.set(card, found.get(card) ?? { text: "", best: true });
  return found;
}

/**
 * The mark of a card or choice, for those who see it and those who listen.
 * @param {{mark: Mark | undefined}} props
 */
export function HintMark({ mark }) {
  if (!mark) return null;
  const { text, best } = mark;
  return html`<span class=${`hint-mark ${best ? "best" : ""}`} aria-hidden="true">${best && html`<span>★</span>`}${text}</span
    ><span class="unseen">${best ? ", advised" : ""}${text && `, expected ${text}`}</span>`;
}

/**
 * What is said of the hint.
 * @param {{advice: Advice | null}} props
 */
export function HintWords({ advice }) {
  return html`<p class=${`hint-words ${advice?.bad ? "bad" : ""}`} role="status">${advice?.said}</p>`;
}
