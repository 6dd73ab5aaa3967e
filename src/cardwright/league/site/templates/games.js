"use strict";
/* The list of games, by bot. */
(() => {
  const PAGE = 50;
  const { element, short } = cardwright;
  const get = (id) => document.getElementById(id);
  let found = [];
  let start = 0;

  const options = (select) => {
    const bots = cardwright.bots.map((bot, number) => [short(bot.name, 40), number]);
    bots.sort(([one], [other]) => one.localeCompare(other));
    for (const [name, number] of bots) select.append(element("option", { value: number + 1 }, name));
  };

  const row = (game) => {
    const best = Math.min(...game.totals);
    const seats = game.seats.map((entry, seat) => {
      const marks = game.forfeits[seat] ? " forfeit" : game.faults[seat] ? " faults" : "";
      return element(
        "span",
        { class: `sitter${game.totals[seat] === best ? " won" : ""}` },
        element("bdi", {}, short(cardwright.bots[entry].name, 24)),
        element("b", {}, ` ${game.totals[seat]}`),
        ...(marks ? [element("i", { class: "bad", title: `${marks.trim()} in this game` }, " ⚠")] : []),
        ...(game.notes[seat] ? [element("i", { class: "noted", title: "noted in this game" }, " ·")] : []),
      );
    });
    const link = element("a", { href: `replay.html#game=${game.game + 1}` }, String(game.game + 1));
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, link),
      element("td", { class: "sitters" }, ...seats),
      element("td", { class: "r" }, String(game.rounds)),
    );
  };

  const show = () => {
    get("list").replaceChildren(...found.slice(start, start + PAGE).map(row));
    const end = Math.min(start + PAGE, found.length);
    get("count").textContent = `${found.length.toLocaleString("en")} game${found.length === 1 ? "" : "s"}`;
    get("shown").textContent = found.length ? `${start + 1} to ${end} of ${found.length}` : "none";
    get("before").disabled = start === 0;
    get("after").disabled = end >= found.length;
  };

  const search = () => {
    const [bot, other] = ["bot", "other"].map((id) => Number(get(id).value) - 1);
    const number = Number(get("number").value) - 1;
    found = cardwright.games.filter(
      (game) =>
        (bot < 0 || game.seats.includes(bot)) &&
        (other < 0 || game.seats.includes(other)) &&
        (number < 0 || game.game === number) &&
        (!get("faulty").checked || game.faults.some(Boolean) || game.forfeits.some(Boolean)),
    );
    start = 0;
    show();
  };

  const arrive = () => {
    get("bot").value = cardwright.place().get("bot") ?? "";
    search();
  };

  for (const id of ["bot", "other"]) options(get(id));
  for (const id of ["bot", "other", "faulty", "number"]) get(id).addEventListener("input", search);
  const turn = (by) => () => {
    start += by;
    show();
  };
  get("before").addEventListener("click", turn(-PAGE));
  get("after").addEventListener("click", turn(PAGE));
  addEventListener("hashchange", arrive);
  get("games").hidden = false;
  arrive();
})();
