// Which games fit what was typed, and the number of players asked for.

/**
 * @typedef {{name: string, title: string, players: number[], default_players: number,
 *   mechanics: string[], origin: string, summary: string}} ListedGame
 * @typedef {{name: string, about: string, games: string[]}} GameFamily
 */

/** Numbers of players that one may ask for; the last one means that many or more. */
export const NUMBERS = [1, 2, 3, 4, 5, 6];

/**
 * @param {ListedGame} game
 * @param {string} family the name of its family
 * @param {string} text every word of it has to occur somewhere
 * @param {number} players 0 for any number
 */
export function fits(game, family, text, players) {
  const most = NUMBERS[NUMBERS.length - 1];
  const enough = players === most ? game.players.some((one) => one >= most) : game.players.includes(players);
  if (players !== 0 && !enough) return false;
  const told = plain([game.name, game.title, game.origin, family, game.summary, ...game.mechanics].join(" "));
  return plain(text)
    .split(" ")
    .every((word) => told.includes(word));
}

/**
 * The families with the games that fit; in those that have any, games whose title begins with the text first.
 * @param {{families: GameFamily[], games: ListedGame[]}} all
 * @param {string} text
 * @param {number} players
 * @returns {{family: GameFamily, games: ListedGame[]}[]}
 */
export function found(all, text, players) {
  const byName = new Map(all.games.map((game) => [game.name, game]));
  return all.families
    .map((family) => ({
      family,
      games: family.games
        .map((name) => byName.get(name))
        .filter((game) => fits(game, family.name, text, players))
        .sort((one, other) => begins(other, text) - begins(one, text)),
    }))
    .filter(({ games }) => games.length > 0)
    .sort((one, other) => begins(other.games[0], text) - begins(one.games[0], text));
}

function begins(game, text) {
  return text !== "" && plain(game.title).startsWith(plain(text)) ? 1 : 0;
}

/** Letters and digits in small, without accents, words separated by one space. */
function plain(text) {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * @param {number[]} players
 * @returns {string} as in "2 to 5 players", "2 or 4 players", "4 players"
 */
export function inWords(players) {
  if (players.length === 0) return "not to be played now";
  const [first, last] = [players[0], players[players.length - 1]];
  if (players.length === 1) return first === 1 ? "alone" : `${first} players`;
  if (last - first === players.length - 1 && players.length > 2) return `${first} to ${last} players`;
  return `${players.slice(0, -1).join(", ")} or ${last} players`;
}
