// A deal in a link: the rules, who plays, and the number from which the cards are dealt.

import { linkWith, valueIn } from "../link.js";

const KEY = "deal";
const MOST_SEATS = 16;
const MOST_LETTERS = 60;

/**
 * @typedef {{title: string, game: string, source: string | null, preset: string | null, options: Record<string, any>,
 *   seats: {kind: "person" | "computer", player: string | null}[], seed: string}} Deal `source` are the rules where
 *   the game is in no library
 */

/** @param {Deal} deal @returns {Promise<string>} */
export function dealLink(deal) {
  return linkWith("/deal", KEY, deal);
}

/** @param {string} hash @returns {Promise<Deal>} what a stranger wrote, in this shape */
export async function sharedDeal(hash) {
  try {
    const { title, game, source, preset, options, seats, seed } = await valueIn(hash, KEY);
    return {
      title: String(title).slice(0, MOST_LETTERS),
      game: String(game),
      source: source == null ? null : String(source),
      preset: preset == null ? null : String(preset),
      options: { ...options },
      seats: seats.slice(0, MOST_SEATS).map(({ kind, player }) =>
        kind === "person" ? { kind, player: null } : { kind: "computer", player: String(player) },
      ),
      seed: String(seed),
    };
  } catch {
    throw new Error("There is no whole deal in this link: a part of it is missing.");
  }
}
