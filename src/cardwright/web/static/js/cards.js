// Cards, for all pages that draw them: `Card` and `Back`.

export { Back, Card } from "./cards/card.js";
export { lookOf } from "./cards/decks.js";
