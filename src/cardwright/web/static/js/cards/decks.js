// What a card looks like, from its attributes: which of the ways to draw cards fits it.

const NUMBERS = [
  "ZERO",
  "ONE",
  "TWO",
  "THREE",
  "FOUR",
  "FIVE",
  "SIX",
  "SEVEN",
  "EIGHT",
  "NINE",
  "TEN",
  "ELEVEN",
  "TWELVE",
  "THIRTEEN",
  "FOURTEEN",
  "FIFTEEN",
  "SIXTEEN",
  "SEVENTEEN",
  "EIGHTEEN",
  "NINETEEN",
  "TWENTY",
];
const COURTS = {
  J: "jack",
  JACK: "jack",
  KNAVE: "jack",
  Q: "queen",
  QUEEN: "queen",
  K: "king",
  KING: "king",
  KNIGHT: "knight",
  C: "knight",
};
const INDICES = { jack: "J", knight: "C", queen: "Q", king: "K" };
const FRENCH = new Set(["spades", "hearts", "clubs", "diamonds"]);
const LATIN = new Set(["cups", "coins", "swords", "batons"]);
const COLOURS = new Set([
  "yellow",
  "blue",
  "white",
  "green",
  "red",
  "black",
  "orange",
  "purple",
  "pink",
  "brown",
  "grey",
  "gray",
]);
const TAROT = { BAGATTO: 1, WORLD: 21, ANGEL: 20 };

/**
 * @typedef {{id: number, name: string, short: string, rank: string | null, suit: string | null,
 *   attributes: Record<string, string>}} Face
 * @typedef {{kind: "suited" | "trump" | "joker" | "number" | "name", index: string, suit: string | null,
 *   number: number | null, court: string | null, colour: string | null, title: string,
 *   others: [string, string][]}} Look
 */

/** @returns {boolean} whether one of the faces is of a Latin deck: then its clubs are batons */
export function hasLatin(faces) {
  return faces.some((face) => LATIN.has(face.suit));
}

/**
 * @param {Face} face
 * @param {boolean} [latin] whether it belongs to a Latin deck
 * @returns {Look}
 */
export function lookOf(face, latin = false) {
  const attributes = Object.entries(face.attributes ?? {}).map(([key, value]) => [
    key.toUpperCase(),
    String(value),
  ]);
  const values = Object.fromEntries(attributes);
  const rank = String(face.rank ?? values.RANK ?? "").toUpperCase();
  const named = (face.suit ?? values.SUIT ?? "").toLowerCase() || null;
  const suit = latin && named === "clubs" ? "batons" : named;
  const court = COURTS[rank] ?? null;
  const only = attributes.length === 1 ? attributes[0][1].toUpperCase() : "";
  const number = numberOf(rank || only);
  const colour = colourOf(values);
  const look = { suit, number, court, colour, title: titleOf(face, rank || only), others: [], index: "" };
  if (rank === "JOKER") return { ...look, kind: "joker", index: "★" };
  if (suit === "trumps" || rank === "MATTO")
    return { ...look, kind: "trump", suit: "trumps", index: String(TAROT[rank] ?? number ?? "✶") };
  if (suit !== null && (FRENCH.has(suit) || LATIN.has(suit))) {
    const index = court
      ? INDICES[court]
      : rank === "A" || rank === "ACE"
        ? "A"
        : String(number ?? rank.slice(0, 2));
    return { ...look, kind: "suited", number: index === "A" ? 1 : number, index };
  }
  if (court && attributes.length <= 1) return { ...look, kind: "name", index: INDICES[court] };
  if (number !== null) return { ...look, kind: "number", index: String(number) };
  if (colour !== null && attributes.length === 2)
    return { ...look, kind: "number", index: initials(look.title) };
  const others = attributes.filter(
    ([key]) => !["RANK", "SUIT", "COLOR", "COLOUR"].includes(key) || attributes.length > 2,
  );
  return { ...look, kind: "name", index: initials(look.title), others: attributes.length > 1 ? others : [] };
}

/** @returns {number | null} the number that a word is, where it is one: `SEVEN`, `7`, `N7` */
export function numberOf(word) {
  const at = NUMBERS.indexOf(word);
  if (at >= 0) return at;
  const digits = /^[A-Z]?(\d{1,3})$/.exec(word);
  return digits ? Number(digits[1]) : null;
}

function colourOf(values) {
  const colour = (values.COLOR ?? values.COLOUR ?? values.SUIT ?? "").toLowerCase();
  return COLOURS.has(colour) ? colour : null;
}

/** The word that a card without pips is called by. */
function titleOf(face, word) {
  const text = word || face.name || face.short || "card";
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase().replaceAll("_", " ");
}

function initials(title) {
  return title.charAt(0);
}
