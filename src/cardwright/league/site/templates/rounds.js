"use strict";
/* Rounds from their bytes: the cards dealt, passed and played by each seat, and the results.
   A choice is one byte, seat << 6 | card; cards are 13 * suit + rank. See block.py. */
(() => {
  const [SEATS, SLUFFS, ROUND, QUEEN, HEARTS, MOON] = [4, 12, 64, 36, 39, 26];
  const DIRECTIONS = [1, 3, 2];

  const points = (card) => (card >= HEARTS ? 1 : card === QUEEN ? 13 : 0);

  const trick = (plays) => {
    const cards = plays.map((play) => ({ seat: play >> 6, card: play & 63 }));
    const suit = Math.floor(cards[0].card / 13);
    const same = cards.filter(({ card }) => Math.floor(card / 13) === suit);
    const best = same.reduce((one, other) => (other.card > one.card ? other : one));
    return {
      cards,
      lead: cards[0].seat,
      winner: best.seat,
      points: cards.reduce((sum, { card }) => sum + points(card), 0),
    };
  };

  /* Read a round; `number` counts from 0, `before` are the points of the game so far. */
  const round = (bytes, number, before) => {
    const seats = [0, 1, 2, 3];
    const of = (plays, seat) => plays.filter((play) => play >> 6 === seat).map((play) => play & 63);
    const [sluffs, plays] = [bytes.slice(0, SLUFFS), bytes.slice(SLUFFS)];
    const shift = DIRECTIONS[number % DIRECTIONS.length];
    const passed = seats.map((seat) => of(sluffs, seat));
    const received = seats.map((seat) => passed[(seat - shift + SEATS) % SEATS]);
    const held = seats.map((seat) => of(plays, seat));
    const dealt = seats.map((seat) =>
      held[seat].filter((card) => !received[seat].includes(card)).concat(passed[seat]),
    );
    const tricks = [];
    for (let at = 0; at < plays.length; at += SEATS) tricks.push(trick(plays.slice(at, at + SEATS)));
    const taken = seats.map((seat) =>
      tricks.reduce((sum, one) => sum + (one.winner === seat ? one.points : 0), 0),
    );
    const moon = taken.indexOf(MOON);
    const scores = moon < 0 ? taken : taken.map((one) => MOON - one);
    const queen = tricks.find((one) => one.cards.some(({ card }) => card === QUEEN)).winner;
    const after = seats.map((seat) => before[seat] + scores[seat]);
    return { number, shift, passed, received, dealt, held, tricks, moon, queen, scores, before, after };
  };

  /* Return the rounds of a game of a block. */
  cardwright.rounds = (block, game) => {
    const at = game - block.first;
    const start = block.rounds.slice(0, at).reduce((sum, one) => sum + one, 0);
    block.bytes ??= cardwright.bytes(block.plays);
    const rounds = [];
    let before = [0, 0, 0, 0];
    for (let number = 0; number < block.rounds[at]; number++) {
      const from = (start + number) * ROUND;
      rounds.push(round(Array.from(block.bytes.subarray(from, from + ROUND)), number, before));
      before = rounds[number].after;
    }
    return rounds;
  };

  /* Return the points that each seat has taken in the first tricks of a round. */
  cardwright.taken = (one, tricks) =>
    [0, 1, 2, 3].map((seat) =>
      one.tricks.slice(0, tricks).reduce((sum, it) => sum + (it.winner === seat ? it.points : 0), 0),
    );
})();
