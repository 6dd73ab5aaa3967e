// A record as CSV, with a row for each game.

const COLUMNS = ["ended", "game", "variant", "name", "seats", "place", "won", "score", "deals", "against"];

/** @param {any[]} games @returns {string} */
export function asCsv(games) {
  const feats = [...new Set(games.flatMap((game) => Object.keys(game.feats)))];
  const rows = games.map((game) => [
    ...COLUMNS.map((column) => game[column]),
    ...feats.map((feat) => game.feats[feat]),
    game.opponents.map(({ name }) => name).join("; "),
  ]);
  return [[...COLUMNS, ...feats, "opponents"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Names come from others: no spreadsheet may take one for a formula. */
function cell(value) {
  if (typeof value !== "string") return value === null || value === undefined ? "" : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
