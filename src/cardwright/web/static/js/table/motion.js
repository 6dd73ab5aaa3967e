// Cards that move: from where they were to where they are, from a seat to the middle, and to who took them.
// Nothing here changes what the page says; without motion, or with a page in the background, all is there at once.

const TIME = 420;
const EASE = "cubic-bezier(.25,.8,.35,1)";

/** @returns {boolean} whether things may move */
export function mayMove() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * @typedef {{cards: Map<string, {box: DOMRect, copy: Element}>, seats: Map<string, DOMRect>}} Snapshot
 * @param {Element} board
 * @returns {Snapshot} where everything is now, with copies of the cards that may go
 */
export function snapshot(board) {
  const cards = new Map();
  for (const card of board.querySelectorAll("[data-card]")) {
    cards.set(card.dataset.card, { box: card.getBoundingClientRect(), copy: card });
  }
  const seats = new Map();
  for (const seat of board.querySelectorAll("[data-seat]")) {
    seats.set(seat.dataset.seat, seat.getBoundingClientRect());
  }
  return { cards, seats };
}

/**
 * Move what is drawn now from where it was.
 * @param {Element} board
 * @param {Snapshot} before
 * @param {{from: (card: string) => number | null, taker: number | null, taken: number[]}} story from which seat a
 *   card comes that was not seen before; who takes the cards of a trick, and which
 */
export function play(board, before, { from, taker, taken }) {
  if (!mayMove()) return;
  for (const card of board.querySelectorAll("[data-card]")) {
    const id = card.dataset.card;
    const start = before.cards.get(id)?.box ?? before.seats.get(String(from(id)));
    if (start) glide(card, start);
  }
  const goal = taker === null ? null : board.querySelector(`[data-seat="${taker}"]`)?.getBoundingClientRect();
  if (!goal) return;
  for (const id of taken) {
    const left = before.cards.get(String(id));
    if (left && !board.querySelector(`[data-card="${id}"]`)) sweep(left, goal);
  }
}

/** Deal: the cards of a hand come from the middle of the table, one after the other. */
export function deal(cards, middle) {
  if (!mayMove()) return;
  cards.forEach((card, at) => glide(card, middle, 30 * at));
}

function glide(card, start, delay = 0) {
  const end = card.getBoundingClientRect();
  const x = start.left + start.width / 2 - end.left - end.width / 2;
  const y = start.top + start.height / 2 - end.top - end.height / 2;
  if (Math.abs(x) + Math.abs(y) < 2 || end.width === 0) return;
  const own = getComputedStyle(card).transform;
  const rest = own === "none" ? "" : own;
  card.animate(
    [
      { transform: `translate(${x}px, ${y}px) ${rest}`, zIndex: 5 },
      { transform: rest || "none", zIndex: 5 },
    ],
    { duration: TIME, delay, easing: EASE, fill: "backwards" },
  );
}

/** A copy of a card that is gone flies to a seat and fades. */
function sweep({ box, copy }, goal) {
  const ghost = copy.cloneNode(true);
  for (const name of ["data-card", "role", "aria-label"]) ghost.removeAttribute(name);
  ghost.setAttribute("aria-hidden", "true");
  ghost.classList.add("ghost");
  Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
  document.body.append(ghost);
  const x = goal.left + goal.width / 2 - box.left - box.width / 2;
  const y = goal.top + goal.height / 2 - box.top - box.height / 2;
  const flight = ghost.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${x}px, ${y}px) scale(.45)`, opacity: 0.15 },
    ],
    { duration: TIME * 1.3, easing: "cubic-bezier(.5,0,.4,1)" },
  );
  flight.finished.catch(() => undefined).then(() => ghost.remove());
}
