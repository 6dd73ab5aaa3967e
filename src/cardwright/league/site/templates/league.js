"use strict";
/* Shared by all pages with data: the season's bots, the list of games, and the loading of games.
   Data come as scripts, which call `season` and `block` here: pages may be opened from a folder. */
const cardwright = (() => {
  const SEATS = 4;
  const RECORD = 19; // bytes of a game in the list: see `LISTED` in replays.py
  const waiting = new Map();
  const loaded = new Map();
  const it = { name: "", bots: [], games: [], firsts: [] };

  it.bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

  it.season = (data) => {
    const bytes = it.bytes(data.games);
    const view = new DataView(bytes.buffer);
    it.name = data.name;
    it.bots = data.bots.map(([name, author]) => ({ name: name || "(no name)", author }));
    it.firsts = data.firsts;
    for (let at = 0; at < bytes.length; at += RECORD) {
      const marks = bytes[at + 17];
      it.games.push({
        game: view.getUint32(at, true),
        seats: [0, 2, 4, 6].map((more) => view.getUint16(at + 4 + more, true)),
        totals: Array.from(bytes.subarray(at + 12, at + 16)),
        rounds: bytes[at + 16],
        faults: Array.from({ length: SEATS }, (_, seat) => Boolean(marks & (1 << seat))),
        notes: Array.from({ length: SEATS }, (_, seat) => Boolean(bytes[at + 18] & (1 << seat))),
        forfeits: Array.from({ length: SEATS }, (_, seat) => Boolean(marks & (16 << seat))),
      });
    }
  };

  it.block = (data) => {
    waiting.get(it.firsts.indexOf(data.first))?.(data);
  };

  /* Return the data of a game's block. */
  it.load = (game) => {
    const number = it.firsts.findLastIndex((first) => first <= game);
    const asked = loaded.get(number) ?? new Promise((done, failed) => {
      const script = document.createElement("script");
      waiting.set(number, done);
      script.src = `data/games-${String(number).padStart(6, "0")}.js`;
      script.onerror = () => failed(new Error(`${script.src} is missing`));
      document.head.append(script);
    });
    loaded.set(number, asked);
    return asked;
  };

  /* Make an element. Text is inserted as text: a bot's name never becomes markup. */
  it.element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  };

  it.short = (text, letters) => (text.length <= letters ? text : `${text.slice(0, letters - 1)}…`);

  /* Return what follows # in the page's address, as in #game=3&round=1. */
  it.place = () => new URLSearchParams(location.hash.slice(1));

  return it;
})();
