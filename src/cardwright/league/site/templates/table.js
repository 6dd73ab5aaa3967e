"use strict";
/* The table with its four seats, drawn for one step of a round.
   Steps: 0 dealt, 1 cards chosen to pass, 2 received, 3 to 54 a card each, 55 the round is over. */
(() => {
  const { element, short } = cardwright;
  const SUITS = ["clubs", "diamonds", "spades", "hearts"];
  const SIGNS = ["♣", "♦", "♠", "♥"];
  const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
  const SIDES = ["south", "west", "north", "east"];
  const SHOWN = [2, 3, 1, 0]; // suits of a hand: spades, hearts, diamonds, clubs
  const PLAYS = 3;

  cardwright.STEPS = 56;
  cardwright.OVER = 55;
  cardwright.cardName = (card) => `${RANKS[card % 13]}${SIGNS[Math.floor(card / 13)]}`;

  /* Return the step of the choice in a column of a round's 64. */
  cardwright.stepOf = (turn) => (turn < 0 ? 0 : turn < 12 ? 1 : turn - 12 + PLAYS);

  const face = (card, marks = "") =>
    element(
      "span",
      { class: `card ${SUITS[Math.floor(card / 13)]} ${marks}`, title: marks.trim() || null },
      element("b", {}, RANKS[card % 13]),
      element("i", {}, SIGNS[Math.floor(card / 13)]),
    );

  const back = () => element("span", { class: "back" });
  const seen = (hands, number) => hands === "all" || hands === String(number);

  const hand = (cards, open, marksOf) => {
    if (!open) {
      const left = cards.filter((card) => !marksOf(card).includes("played")).length;
      const backs = Array.from({ length: left }, back);
      return element("div", { class: "hand", role: "img", "aria-label": `${left} cards` }, ...backs);
    }
    const rows = SHOWN.map((suit) => {
      const own = cards.filter((card) => Math.floor(card / 13) === suit).sort((a, b) => b - a);
      return element(
        "div",
        { class: `suit ${SUITS[suit]}` },
        element("i", {}, SIGNS[suit]),
        ...own.map((card) => element("span", { class: `pip ${marksOf(card)}` }, RANKS[card % 13])),
        ...(own.length ? [] : [element("span", { class: "void" }, "–")]),
      );
    });
    return element("div", { class: "hand" }, ...rows);
  };

  const seat = (game, one, step, number, hands) => {
    const done = Math.max(0, Math.min(52, step - PLAYS + 1));
    const gone = new Set(
      one.tricks.flatMap((it) => it.cards).slice(0, done).map(({ card }) => card),
    );
    const passing = step < 2;
    const marksOf = (card) =>
      passing
        ? step === 1 && one.passed[number].includes(card) ? "passed" : ""
        : gone.has(card) ? "played" : one.received[number].includes(card) ? "received" : "";
    const cards = passing ? one.dealt[number] : one.held[number];
    const tricks = Math.floor(done / 4);
    const over = step === cardwright.OVER;
    const now = over ? one.scores : cardwright.taken(one, tricks);
    const bot = cardwright.bots[game.seats[number]];
    const playing = step >= PLAYS - 1 && !over;
    const leads = playing && one.tricks[Math.floor(Math.max(done - 1, 0) / 4)].lead === number;
    return element(
      "section",
      { class: `seat ${SIDES[number]}`, "aria-label": `Seat ${number + 1}` },
      element(
        "h3",
        {},
        element("span", { class: "n" }, String(number + 1)),
        element("bdi", { title: bot.name }, short(bot.name, 30)),
        ...(leads ? [element("span", { class: "leads", title: "leads this trick" }, "leads")] : []),
      ),
      element(
        "p",
        { class: "points" },
        element("b", {}, String(over ? one.after[number] : one.before[number])),
        ` ${now[number] ? "+" : ""}${now[number] || ""}`,
      ),
      hand(cards, seen(hands, number), marksOf),
    );
  };

  const middle = (one, step, hands, faulty) => {
    const slots = SIDES.map((side) => element("div", { class: `slot ${side}` }));
    const lay = (cards, number, marks) =>
      slots[number].append(...cards.map((card) => (seen(hands, number) ? face(card, marks) : back())));
    let words = "";
    if (step <= 1) {
      words = ["", "to the next seat", "across", "to the previous seat"][one.shift];
      words = `${step ? "Passed" : "Passing"} ${words}`;
      if (step === 1) {
        one.passed.forEach((cards, number) => lay(cards, number, faulty.has(number) ? "fault" : ""));
      }
    } else if (step === 2) {
      words = "Received";
      one.received.forEach((cards, number) => lay(cards, number, ""));
    } else if (step < cardwright.OVER) {
      const at = step - PLAYS;
      const it = one.tricks[Math.floor(at / 4)];
      const whole = at % 4 === 3;
      it.cards.slice(0, (at % 4) + 1).forEach(({ seat: who, card }) => {
        const wins = whole && who === it.winner ? " wins" : "";
        const fault = faulty.has(who) ? " fault" : "";
        slots[who].append(face(card, wins + fault));
      });
      words = `Trick ${Math.floor(at / 4) + 1}`;
      if (whole && it.points) words += ` · ${it.points}`;
    } else {
      words = one.moon < 0 ? "Round over" : "Moon!";
      slots.forEach((slot, number) =>
        slot.append(element("b", { class: "gain" }, `+${one.scores[number]}`)),
      );
    }
    return element("div", { class: "middle" }, ...slots, element("p", { class: "words" }, words));
  };

  /* Draw a step of a round; `faulty` are the seats that made a fault there. */
  cardwright.draw = (place, game, one, step, hands, faulty) => {
    const seats = [0, 1, 2, 3].map((number) => seat(game, one, step, number, hands));
    place.replaceChildren(...seats, middle(one, step, hands, faulty));
  };
})();
