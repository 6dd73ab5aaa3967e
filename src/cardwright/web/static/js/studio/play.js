// The table that plays the rules on the left, in a frame of its own: its keys do not meet the editor's.

import { html, useEffect, useRef, useSetting, useState } from "../dom.js";
import { ask, follow, showIn } from "../api.js";
import { Trouble } from "./trouble.js";

/** Who plays against you, from quick to careful. */
const PLAYERS = [
  ["random", "play at random"],
  ["pimc:rollouts=10", "think a little"],
  ["ismcts:iterations=1000", "think"],
];

/** The codes of errors by which a game cannot go on. */
const GRAVE = new Set(["rule-broken", "broken", "stopped"]);

/** A seed for new cards, of 53 bits as numbers of JSON have. */
const newSeed = () => {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return String((high % 2 ** 21) * 2 ** 32 + low);
};

/**
 * @param {{order: {text: string, players: number, count: number} | null, play: () => void,
 *   now: string,
 *   goToLine: (line: number, column?: number) => void, back: () => void}} props `order` is the newest request
 *   for a table, by its count, and `now` the rules as they are; `back` goes to the editor
 */
export function Play({ order, now, play, goToLine, back }) {
  const [role, setRole] = useSetting("studio.role", "play");
  const [player, setPlayer] = useSetting("studio.player", "random");
  const [same, setSame] = useSetting("studio.same", true);
  const seed = useRef(newSeed());
  const [table, setTable] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (order === null) return undefined;
    const end = new AbortController();
    if (!same) seed.current = newSeed();
    setBusy(true);
    setError(null);
    make(order, { role, player, seed: seed.current, signal: end.signal })
      .then(setTable)
      .catch((failure) => failure.name !== "AbortError" && setError(failure))
      .finally(() => !end.signal.aborted && setBusy(false));
    return () => end.abort();
  }, [order?.count]);
  const again = () => {
    seed.current = newSeed();
    play();
  };
  return html`<div class="playing">
    <form class="row" onSubmit=${(event) => (event.preventDefault(), play())}>
      <label>
        <span class="unseen">Who plays</span>
        <select value=${role} onChange=${(event) => setRole(event.target.value)}>
          <option value="play">You play against computer players</option>
          <option value="watch">You watch computer players</option>
        </select>
      </label>
      <label>
        <span class="unseen">Computer players</span>
        <select value=${player} onChange=${(event) => setPlayer(event.target.value)}>
          ${PLAYERS.map(([spec, words]) => html`<option key=${spec} value=${spec}>Computers ${words}</option>`)}
        </select>
      </label>
      <label>
        <input type="checkbox" checked=${same} onChange=${(event) => setSame(event.target.checked)} />
        Same cards each time
      </label>
      <button class="small" disabled=${busy}>${table ? "Start again" : "Start"}</button>
      ${same && table && html`<button type="button" class="small" onClick=${again}>Other cards</button>`}
    </form>
    <p role="status">${busy ? "Setting up the table …" : ""}</p>
    ${error && html`<${Trouble} error=${error} goToLine=${goToLine} />`}
    ${table && order.text !== now && html`<p class="older" role="status">This table plays the rules as they were when it began. <button class="small" onClick=${play}>Play the new rules</button></p>`}
    ${table && html`<${Table} key=${table.link} table=${table} goToLine=${goToLine} play=${play} back=${back} />`}
    ${!table && !busy && !error && html`<p>Press <kbd>Ctrl</kbd> <kbd>Enter</kbd> in the editor, or Play, and the game is played here.</p>`}
  </div>`;
}

async function make(order, { role, player, seed, signal }) {
  const seats = Array.from({ length: order.players }, (_, at) =>
    at === 0 && role === "play" ? { kind: "person" } : { kind: "computer", player },
  );
  const body = { source: order.text, seats, seed, practice: true, watch: "open" };
  const made = await ask("/api/tables", { body, signal });
  return { link: role === "play" ? made.seats[0].link : made.watch };
}

/**
 * The table; F6 goes back to the editor, Ctrl-Enter starts a table with the rules as they are now. What
 * stops it is shown here too, with the place in the rules.
 */
function Table({ table, goToLine, play, back }) {
  const frame = useRef(null);
  const [fault, setFault] = useState(null);
  useEffect(() => {
    const token = table.link.split("/").at(-1);
    return follow(`/api/t/${token}/events`, {
      message: ({ notice }) => notice && setFault(notice),
      state: (_, error) => error && setFault(error.message),
    });
  }, [table.link]);
  const loaded = () => {
    frame.current.scrollIntoView({ block: "nearest" });
    const inner = frame.current.contentWindow;
    inner.addEventListener("api-error", ({ detail }) => GRAVE.has(detail.code) && setFault(detail.message));
    inner.addEventListener("keydown", (event) => {
      if (event.key === "F6") (event.preventDefault(), back());
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) (event.preventDefault(), play());
    });
  };
  useEffect(() => {
    frame.current.addEventListener("load", loaded); // only now: it was empty before
    showIn(frame.current, table.link);
  }, [table.link]);
  return html`${fault && html`<${Trouble} error=${{ message: fault }} goToLine=${goToLine} />`}
    <iframe ref=${frame} title="The table that plays these rules" />`;
}
