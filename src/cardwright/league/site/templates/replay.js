"use strict";
/* A game, step by step: the page's position in it, and its controls. */
(() => {
  const { element, short, STEPS, OVER } = cardwright;
  const get = (id) => document.getElementById(id);
  let [game, rounds, faults] = [null, [], []];
  let at = 0; // step of the whole game
  let timer = 0;

  const name = (seat) => cardwright.bots[game.seats[seat]].name;
  const stepsAfter = () => rounds.length * STEPS - 1;
  const here = () => ({ round: Math.floor(at / STEPS), step: at % STEPS });
  const placeOf = (fault) => Math.max(0, fault.round - 1) * STEPS + cardwright.stepOf(fault.turn);

  /* Names are isolated, so that right-to-left letters do not affect the text around them. */
  const who = (seat, letters = 24) => element("bdi", {}, short(name(seat), letters));
  const listed = (nodes, joint) => nodes.flatMap((one, at) => (at ? [joint, one] : [one]));

  const words = (one, step) => {
    if (step === 0) return [`Round ${one.number + 1}: the cards are dealt.`];
    if (step === 1) return ["All seats have chosen three cards to pass."];
    if (step === 2) return ["The cards are passed. The two of clubs leads."];
    if (step === OVER) {
      const sums = one.scores.map((score, seat) => element("span", {}, who(seat, 20), ` +${score}`));
      const moon = one.moon < 0 ? ["Round over: "] : [who(one.moon), " shot the moon: "];
      return [...moon, ...listed(sums, ", "), "."];
    }
    const play = step - 3;
    const trick = one.tricks[Math.floor(play / 4)];
    const { seat, card } = trick.cards[play % 4];
    const does = ` ${play % 4 ? "plays" : "leads"} ${cardwright.cardName(card)}`;
    if (play % 4 !== 3) return [who(seat), `${does}.`];
    const points = trick.points ? ` for ${trick.points}` : "";
    return [who(seat), `${does}; `, who(trick.winner), ` takes the trick${points}.`];
  };

  const scores = (current, over) => {
    const head = element("tr", {}, element("th", { scope: "col" }, "Round"));
    game.seats.forEach((_, seat) => {
      const label = element("bdi", { title: name(seat) }, short(name(seat), 12));
      head.append(element("th", { scope: "col", class: "r" }, label));
    });
    const rows = rounds.map((one) => {
      const reached = one.number < current || (one.number === current && over);
      const button = element("button", { type: "button" }, String(one.number + 1));
      button.addEventListener("click", () => go(one.number * STEPS));
      const cells = one.scores.map((score, seat) => {
        const marks = one.moon === seat ? " moon" : one.queen === seat ? " queen" : "";
        const title = marks ? (marks === " moon" ? "shot the moon" : "took the queen") : null;
        const text = reached ? [element("b", {}, String(one.after[seat])), element("small", {}, ` +${score}`)] : [];
        return element("td", { class: `r${reached ? marks : ""}`, title: reached ? title : null }, ...text);
      });
      const row = element("tr", { class: one.number === current ? "now" : null });
      row.append(element("th", { scope: "row" }, button), ...cells);
      return row;
    });
    get("scores").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  };

  const final = (over) => {
    const ends = over && here().round === rounds.length - 1;
    const least = Math.min(...game.totals);
    const winners = game.seats.map((_, seat) => seat).filter((seat) => game.totals[seat] === least);
    const names = listed(winners.map((seat) => who(seat, 40)), " and ");
    get("final").replaceChildren(...(ends ? [...names, ` won with ${least} points.`] : []));
  };

  const listFaults = () => {
    const items = faults.map((fault) => {
      const button = element("button", { type: "button", class: "link" }, `Round ${Math.max(1, fault.round)}`);
      button.addEventListener("click", () => go(placeOf(fault)));
      const kind = `${fault.forfeit ? "forfeits: " : ""}${fault.kind}`;
      return element(
        "li",
        { "data-at": placeOf(fault) },
        element("span", {}, button, " ", element("bdi", {}, short(name(fault.seat), 24)), " ",
          element("span", { class: "bad" }, kind)),
        element("code", {}, element("bdi", {}, fault.message)),
      );
    });
    get("faults").replaceChildren(...(items.length ? items : [element("li", {}, "None.")]));
  };

  const fillTricks = (select, count, title) => {
    select.replaceChildren(...Array.from({ length: count }, (_, one) => element("option", { value: one }, title(one))));
  };

  const show = () => {
    const { round, step } = here();
    const one = rounds[round];
    const now = faults.filter((fault) => placeOf(fault) === at);
    const faulty = new Set(now.map((fault) => fault.seat));
    cardwright.draw(get("table"), game, one, step, get("hands").value, faulty);
    const warnings = now.flatMap((fault) => ["⚠ ", who(fault.seat), `: ${fault.kind}. `]);
    get("words").replaceChildren(...warnings, ...words(one, step));
    get("slider").value = at;
    get("slider").setAttribute("aria-valuetext", `round ${round + 1}, step ${step}`);
    get("round").value = round;
    get("trick").value = step < 3 ? 0 : step === OVER ? 14 : 1 + Math.floor((step - 3) / 4);
    for (const id of ["first", "trickback", "back"]) get(id).disabled = at === 0;
    for (const id of ["last", "trickon", "forward"]) get(id).disabled = at === stepsAfter();
    for (const item of get("faults").children) item.classList.toggle("now", item.dataset.at === String(at));
    scores(round, step === OVER);
    final(step === OVER);
    history.replaceState(null, "", `#game=${game.game + 1}&round=${round + 1}&step=${step}`);
  };

  const go = (to) => {
    at = Math.min(Math.max(to, 0), stepsAfter());
    show();
  };

  /* Steps to jump to: cards dealt, cards received, the end of every trick, the end of the round. */
  const stops = [0, 2, ...Array.from({ length: 13 }, (_, trick) => 6 + 4 * trick), OVER];
  const byTrick = (way) => {
    const { round, step } = here();
    const next = way > 0 ? stops.find((one) => one > step) : stops.findLast((one) => one < step);
    if (next !== undefined) go(round * STEPS + next);
    else go(way > 0 ? (round + 1) * STEPS : round * STEPS - 1);
  };

  const marked = (playing) => {
    get("play").classList.toggle("playing", playing);
    get("play").querySelector("span").textContent = playing ? "Pause" : "Play";
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    marked(false);
  };
  const play = () => {
    if (timer) {
      pause();
      return;
    }
    if (at === stepsAfter()) go(0);
    marked(true);
    timer = setInterval(() => {
      go(at + 1);
      if (at === stepsAfter()) pause();
    }, Number(get("speed").value));
  };

  const moves = {
    first: () => go(0),
    trickback: () => byTrick(-1),
    back: () => go(at - 1),
    forward: () => go(at + 1),
    trickon: () => byTrick(1),
    last: () => go(stepsAfter()),
  };

  const byKey = (event) => {
    if (!game || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) return;
    const pressed = event.target.closest("button, a, summary") && event.key === " ";
    const { round } = here();
    const keys = {
      ArrowLeft: event.shiftKey ? moves.trickback : moves.back,
      ArrowRight: event.shiftKey ? moves.trickon : moves.forward,
      ArrowUp: () => go(at % STEPS ? round * STEPS : (round - 1) * STEPS),
      ArrowDown: () => (round + 1 < rounds.length ? go((round + 1) * STEPS) : moves.last()),
      Home: moves.first,
      End: moves.last,
      " ": play,
      h: hide,
      H: hide,
    };
    const move = keys[event.key];
    if (!move || pressed) return; // Space presses the focused button
    event.preventDefault();
    if (event.key !== " ") pause();
    move();
  };

  const hide = () => {
    get("hands").value = get("hands").value === "none" ? "all" : "none";
    show();
  };

  const problem = (text) => {
    get("problem").textContent = text;
    get("problem").hidden = false;
    get("replay").hidden = true;
  };

  const turnTo = (id, other) => {
    const link = get(id);
    if (other) link.href = `#game=${other.game + 1}`;
    else link.removeAttribute("href");
  };

  /* Go to the position in the page's address, possibly in another game. */
  const arrive = async () => {
    const place = cardwright.place();
    const number = Number(place.get("game") ?? cardwright.games[0]?.game + 1) - 1;
    pause();
    if (game?.game !== number) {
      const index = cardwright.games.findIndex((one) => one.game === number);
      if (index < 0) {
        game = null;
        problem("There is no replay of this game.");
        return;
      }
      const block = await cardwright.load(number);
      game = cardwright.games[index];
      rounds = cardwright.rounds(block, number);
      faults = block.faults
        .filter((fault) => fault[0] === number)
        .map(([, seat, round, turn, kind, message, counts, forfeit]) => ({ seat, round, turn, kind, message, counts, forfeit }));
      get("title").textContent = `Game ${number + 1}`;
      document.title = `Game ${number + 1} – ${cardwright.name}`;
      get("slider").max = stepsAfter();
      fillTricks(get("round"), rounds.length, (one) => one + 1);
      fillTricks(get("trick"), 15, (one) => (one === 0 ? "passing" : one === 14 ? "end" : one));
      listFaults();
      turnTo("earlier", cardwright.games[index - 1]);
      turnTo("later", cardwright.games[index + 1]);
      get("problem").hidden = true;
      get("replay").hidden = false;
    }
    const asked = (key, least) => Math.max(least, Math.floor(Number(place.get(key))) || 0);
    const round = Math.min(asked("round", 1), rounds.length) - 1;
    go(round * STEPS + Math.min(asked("step", 0), OVER));
  };

  const arriveSafely = () => arrive().catch((error) => problem(error.message));

  for (const [id, move] of Object.entries(moves)) {
    get(id).addEventListener("click", () => {
      pause();
      move();
    });
  }
  get("play").addEventListener("click", play);
  get("slider").addEventListener("input", () => go(Number(get("slider").value)));
  get("round").addEventListener("input", () => go(Number(get("round").value) * STEPS));
  get("trick").addEventListener("input", () => {
    const trick = Number(get("trick").value);
    go(here().round * STEPS + (trick === 0 ? 0 : trick === 14 ? OVER : 3 + 4 * (trick - 1)));
  });
  get("hands").addEventListener("input", show);
  get("speed").addEventListener("input", () => {
    if (timer) {
      pause();
      play();
    }
  });
  addEventListener("keydown", byKey);
  addEventListener("hashchange", arriveSafely);
  arriveSafely();
})();
