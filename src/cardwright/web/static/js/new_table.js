// Making a table: the request, and the usual one of a game.

import { ask } from "./api.js";
import { keep } from "./made.js";
import { go } from "./place.js";
import { remember } from "./recent.js";

/**
 * @typedef {{kind: "person" | "computer" | "empty", player?: string | null, name?: string | null}} WantedSeat
 * @typedef {{game: string, title: string, preset: string | null, options: Record<string, any>,
 *   seats: WantedSeat[], pace: number, practice: boolean, watch: string, listed?: boolean, seed?: string}} Wanted
 * @typedef {{table: string, seats: {seat: number, link: string}[], watch: string | null,
 *   invite: string | null}} Links
 */

/**
 * Make a table, and keep the link of one's own seat, the first one of a person.
 * @param {Wanted} wanted
 * @returns {Promise<Links>}
 */
export async function makeTable(wanted) {
  const { title, ...body } = wanted;
  const links = await ask("/api/tables", { body });
  keep(links);
  if (links.seats.length > 0) remember({ link: links.seats[0].link, game: body.game, title });
  return links;
}

/**
 * What is played if one only says which game: alone against the usual computer players.
 * @param {string} name
 * @param {string | null} [preset] the usual one, if it is left out
 * @returns {Promise<Wanted>}
 */
export async function usualTable(name, preset) {
  const game = await ask(`/api/games/${name}`);
  const other = preset !== undefined && preset !== game.usual_preset;
  const found = other ? await ask(`/api/games/${name}/check`, { body: { preset, options: {} } }) : game;
  return {
    game: name,
    title: game.title,
    preset: other ? preset : game.usual_preset,
    options: {},
    seats: found.seats.map((_, at) => (at === 0 ? { kind: "person" } : { kind: "computer", player: opponent(found, at) })),
    pace: 1,
    practice: false,
    watch: "no",
  };
}

/**
 * @param {{opponents: string[]}} game
 * @param {number} seat
 * @returns {string} the computer player that sits there unless another is chosen
 */
export function opponent({ opponents }, seat) {
  return opponents[Math.max(seat - 1, 0) % opponents.length];
}

/**
 * Make the usual table of a game, and go there.
 * @param {string} name
 * @param {string | null} [preset]
 */
export async function playNow(name, preset) {
  const links = await makeTable(await usualTable(name, preset));
  go(links.seats[0].link);
}
