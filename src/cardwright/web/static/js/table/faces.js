// The cards that a scene shows.

/**
 * @param {any} scene
 * @returns {import("../cards/decks.js").Face[]} those in hands and piles, which can be clicked where options name them
 */
export function clickableFaces(scene) {
  const faces = [scene.hand, ...scene.piles.map((pile) => pile.cards)];
  for (const seat of scene.seats) faces.push(seat.hand, ...seat.piles.map((pile) => pile.cards));
  return faces.flat();
}

/**
 * @param {any} scene
 * @returns {import("../cards/decks.js").Face[]} all of them
 */
export function shownFaces(scene) {
  const trick = scene.trick?.cards ?? [];
  return [
    ...clickableFaces(scene),
    ...trick.map(({ card }) => card),
    ...scene.seats.flatMap((seat) => seat.taken),
  ];
}
