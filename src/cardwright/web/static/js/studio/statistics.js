// What random games of the rules are like, and what has changed since the version before.

import { html, useEffect, useRef, useState } from "../dom.js";
import { ask } from "../api.js";
import { Trouble } from "./trouble.js";

/** So many games are played, one after the other: first numbers soon, better ones later. */
const STEPS = [20, 200, 2000];

/**
 * @param {{shown: boolean, text: string | null, goToLine: (line: number, column?: number) => void}} props
 *   `text` are rules without errors, or null
 */
export function Statistics({ shown, text, goToLine }) {
  const [now, setNow] = useState(null);
  const [before, setBefore] = useState(null);
  const [working, setWorking] = useState(0);
  const [error, setError] = useState(null);
  useEffect(() => {
    if (!shown || text === null || (now?.text === text && now.games === STEPS.at(-1))) return undefined;
    const end = new AbortController();
    setError(null);
    const found = (next) => {
      if (now && now.text !== text) setBefore(now);
      setNow(next);
    };
    measure(text, end.signal, setWorking, found).catch((failure) => {
      if (failure.name !== "AbortError") setError(failure);
    }).finally(() => !end.signal.aborted && setWorking(0));
    return () => end.abort();
  }, [shown, text]);
  if (error) return html`<${Trouble} error=${error} goToLine=${goToLine} />`;
  if (!now) {
    if (text === null) return html`<p>Without errors in the rules, random games are measured here.</p>`;
    return html`<p class="soft" role="status">Playing ${working || STEPS[0]} random games …</p>`;
  }
  return html`<div class="statistics">
    <p role="status">
      ${now.games.toLocaleString("en")} random games, always with the same deals.
      ${working > now.games && html` Playing ${working.toLocaleString("en")} …`}
      ${now.text !== text && html` <em>These are the rules of before.</em>`}
    </p>
    ${now.errors > 0 && html`<${Stopped} now=${now} goToLine=${goToLine} />`}
    ${now.finished > 0 && html`<${Numbers} now=${now} before=${before} />`}
    ${now.finished > 0 && text !== null && html`<${Thinking} text=${text} goToLine=${goToLine} />`}
  </div>`;
}

async function measure(text, signal, setWorking, tell) {
  for (const games of STEPS) {
    setWorking(games);
    const found = await ask("/api/studio/statistics", { body: { source: text, games }, signal });
    tell({ text, ...found });
  }
}

function Stopped({ now, goToLine }) {
  return html`<div class="notice error" role="alert">
    <p>${now.errors.toLocaleString("en")} of ${now.games.toLocaleString("en")} games stopped, as they broke a rule:</p>
    <ul>
      ${now.faults.map(
        (one) => html`<li key=${`${one.line} ${one.column} ${one.rule}`}>
          <button class="link" onClick=${() => goToLine(one.line, one.column)}>
            line ${one.line}: ${one.message}
          </button>
          ${" "}(${one.games.toLocaleString("en")} games)
        </li>`,
      )}
    </ul>
  </div>`;
}

const ROWS = [
  ["Decisions a game", (found) => found.decisions.mean, 1],
  ["Fewest decisions", (found) => found.decisions.least, 0],
  ["Most decisions", (found) => found.decisions.most, 0],
  ["Options a decision", (found) => found.options, 2],
  ["Most options", (found) => found.most_options, 0],
  ["Decisions without a choice, %", (found) => 100 * found.single, 1],
];

function Numbers({ now, before }) {
  const old = before?.finished > 0 ? before : null;
  return html`<table>
      <thead>
        <tr>
          <th scope="col">All games</th>
          <th scope="col" class="number">Now</th>
          ${old && html`<th scope="col" class="number">Before</th>`}
        </tr>
      </thead>
      <tbody>
        ${ROWS.map(
          ([name, value, digits]) => html`<tr key=${name}>
            <th scope="row">${name}</th>
            <td class="number">${shown(value(now), digits)}${old && change(value(now), value(old), digits)}</td>
            ${old && html`<td class="number">${shown(value(old), digits)}</td>`}
          </tr>`,
        )}
      </tbody>
    </table>
    <table>
      <thead>
        <tr>
          <th scope="col">Seat</th>
          <th scope="col" class="number">Score</th>
          <th scope="col" class="number">Wins, %</th>
          ${old && html`<th scope="col" class="number">Score before</th>`}
        </tr>
      </thead>
      <tbody>
        ${now.seats.map((seat, at) => {
          const other = old?.seats[at];
          return html`<tr key=${at}>
            <th scope="row">${at + 1}</th>
            <${SeatCells} seat=${seat} other=${other} />
            ${old && html`<td class="number">${other ? shown(other.score_mean, 2) : "–"}</td>`}
          </tr>`;
        })}
      </tbody>
    </table>
    <p class="soft small">In brackets: where the true value lies, with 95 % confidence.</p>`;
}

/** The score and the wins of a seat, and how its score has changed from another one. */
function SeatCells({ seat, other }) {
  return html`<td class="number">${shown(seat.score_mean, 2)}${other && change(seat.score_mean, other.score_mean, 2)} ${between(seat.score_low, seat.score_high, 2)}</td>
    <td class="number">${shown(100 * seat.win_share, 1)} ${between(100 * seat.win_low, 100 * seat.win_high, 1)}</td>`;
}

/** So many games are played by thinking players. */
const THOUGHT = [8, 40, 200];

/** What thinking is worth, asked for by a click: it takes some seconds. */
function Thinking({ text, goToLine }) {
  const [now, setNow] = useState(null);
  const [working, setWorking] = useState(false);
  const [error, setError] = useState(null);
  const end = useRef(null);
  useEffect(() => () => end.current?.abort(), []);
  const play = async () => {
    end.current?.abort();
    const { signal } = (end.current = new AbortController());
    setWorking(true);
    setError(null);
    try {
      for (const games of THOUGHT) {
        const found = await ask("/api/studio/thinking", { body: { source: text, games }, signal });
        setNow({ text, ...found });
        if (found.games < games) break;
      }
    } catch (failure) {
      if (failure.name !== "AbortError") setError(failure);
    }
    if (!signal.aborted) setWorking(false);
  };
  const strength = now?.strength;
  return html`<h3>When players think</h3>
    <p class="row">
      <button class="small" disabled=${working} onClick=${play}>${now ? "Play again" : "Let players think"}</button>
      <span role="status">${working ? "Players are thinking …" : ""}</span>
    </p>
    ${error && html`<${Trouble} error=${error} goToLine=${goToLine} />`}
    ${now && now.finished === 0 && html`<p>All ${now.games} games broke a rule.</p>`}
    ${now && now.finished > 0 && html`<p>
        ${now.games} games of each kind, by <code>${now.player}</code>.
        ${now.text !== text && html` <em>These are the rules of before.</em>`}
      </p>
      ${strength && html`<p>
        Alone among random players, one that thinks wins <strong>${shown(100 * strength.mean, 0)} %</strong>
        ${" "}${between(100 * strength.low, 100 * strength.high, 0)}; an even share is ${shown(100 * now.even, 0)} %.
      </p>`}
      <table>
        <thead>
          <tr><th scope="col">Seat, when all think</th><th scope="col" class="number">Score</th><th scope="col" class="number">Wins, %</th></tr>
        </thead>
        <tbody>
          ${now.seats.map(
            (seat, at) => html`<tr key=${at}>
              <th scope="row">${at + 1}</th>
              <${SeatCells} seat=${seat} />
            </tr>`,
          )}
        </tbody>
      </table>`}`;
}

function shown(value, digits) {
  return value === null || value === undefined || Number.isNaN(value) ? "–" : value.toFixed(digits);
}

function between(low, high, digits) {
  if (low === null || high === null) return null;
  return html`<span class="soft small">(${shown(low, digits)} to ${shown(high, digits)})</span>`;
}

function change(now, before, digits) {
  const words = shown(Math.abs(now - before), digits);
  if (Number(words) === 0) return null;
  const up = now > before;
  return html` <span class="change"><span class="unseen">${up ? "more by" : "less by"} </span><span aria-hidden="true">${up ? "▲" : "▼"}</span>${words}</span>`;
}
