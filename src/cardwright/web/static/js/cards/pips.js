// The suits as paths in a square of 24, and where the pips of a number stand on a card of 100 by 140.

/** @type {Record<string, string>} */
export const SUITS = {
  hearts:
    "M12 21.5C7 16.8 2.2 13 2.2 8.3 2.2 5.2 4.5 3 7.3 3c2 0 3.8 1.1 4.7 2.9C12.9 4.1 14.7 3 16.7 3c2.8 0 5.1 2.2 5.1 5.3 0 4.7-4.8 8.5-9.8 13.2Z",
  diamonds:
    "M12 1.2c2.1 4 4.7 7.6 8 10.8-3.3 3.2-5.9 6.8-8 10.8-2.1-4-4.7-7.6-8-10.8 3.3-3.2 5.9-6.8 8-10.8Z",
  spades:
    "M12 1.5c1.6 4 9.7 7.7 9.7 13 0 2.8-2 4.6-4.5 4.6-1.7 0-3.2-.9-4-2.3.2 2.4 1 4.2 2.6 5.7H8.2c1.6-1.5 2.4-3.3 2.6-5.7-.8 1.4-2.3 2.3-4 2.3-2.5 0-4.5-1.8-4.5-4.6C2.3 9.2 10.4 5.5 12 1.5Z",
  clubs:
    "M12 1.6a4.9 4.9 0 0 1 4 7.7 4.9 4.9 0 1 1-2.9 7.9c.2 2.2 1 3.9 2.6 5.3H8.3c1.6-1.4 2.4-3.1 2.6-5.3A4.9 4.9 0 1 1 8 9.3a4.9 4.9 0 0 1 4-7.7Z",
  cups: "M4.5 2.5h15c.2 6.6-2.3 10.7-5.9 11.9v4.2l4.4 1.7v1.7H6v-1.7l4.4-1.7v-4.2C6.8 13.2 4.3 9.1 4.5 2.5Zm2.6 2.2c.1 1.2.3 2.2.6 3.1h8.6c.3-.9.5-1.9.6-3.1Z",
  coins:
    "M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 0 0 0-21Zm0 2.6a7.9 7.9 0 1 1 0 15.8 7.9 7.9 0 0 1 0-15.8Zm0 1.9-1.5 4.5L6 12l4.5 1.5L12 18l1.5-4.5L18 12l-4.5-1.5Z",
  swords: "M12 .8 13.9 4v10.7h4.3v2.4h-4.7v3.7a1.5 1.5 0 0 1-3 0v-3.7H5.8v-2.4h4.3V4Z",
  batons:
    "M4.2 22.2 1.8 19.8l8.7-9.6.4-3.2 2.3-.2.8-2.7 2.6-.1c1.3-1.4 3.2-2.1 4.9-1.3 1 1.800.4 3.800-1.100 5.1l-.1 2.6-2.7.8-.3 2.3-3.1.4Z",
  trumps: "M12 1.5 14.7 8.6l7.6.4-5.9 4.8 2 7.3L12 17l-6.4 4.1 2-7.3L1.7 9l7.6-.4Z",
};

const LEFT = 31.5;
const RIGHT = 68.5;
const MIDDLE = 50;
const [TOP, UPPER, CENTRE, LOWER, BOTTOM] = [27, 55.7, 70, 84.3, 113];

const pairs = (...heights) =>
  heights.flatMap((y) => [
    [LEFT, y],
    [RIGHT, y],
  ]);

/** @type {Record<number, number[][]>} */
export const LAYOUTS = {
  1: [[MIDDLE, CENTRE]],
  2: [
    [MIDDLE, TOP],
    [MIDDLE, BOTTOM],
  ],
  3: [
    [MIDDLE, TOP],
    [MIDDLE, CENTRE],
    [MIDDLE, BOTTOM],
  ],
  4: pairs(TOP, BOTTOM),
  5: [...pairs(TOP, BOTTOM), [MIDDLE, CENTRE]],
  6: pairs(TOP, CENTRE, BOTTOM),
  7: [...pairs(TOP, CENTRE, BOTTOM), [MIDDLE, 48.5]],
  8: [...pairs(TOP, CENTRE, BOTTOM), [MIDDLE, 48.5], [MIDDLE, 91.5]],
  9: [...pairs(TOP, UPPER, LOWER, BOTTOM), [MIDDLE, CENTRE]],
  10: [...pairs(TOP, UPPER, LOWER, BOTTOM), [MIDDLE, 41.4], [MIDDLE, 98.6]],
};

/**
 * Where a suit is drawn: its middle and its size, upside down in the lower half.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function placed(x, y, size) {
  const scale = size / 24;
  const turn = y > CENTRE ? " rotate(180)" : "";
  return `translate(${x} ${y})${turn} scale(${scale}) translate(-12 -12)`;
}
