// What a strong player thinks of the moves: of the one that was just made, or of many, with what each loses.

import { ask, follow } from "../api.js";
import { html, useEffect, useRef, useState } from "../dom.js";
import { Losses } from "./losses.js";
import { amount } from "../units.js";
import { lostInWords, moved } from "./moves.js";

export function Judgement({ id, outline, events, move, seat, go }) {
  const [judged, setJudged] = useState(() => new Map());
  const learn = (found) => setJudged((before) => new Map(before).set(found.move, found));
  return html`<section class="panel judgement" aria-labelledby="judgement">
    <h2 id="judgement">Judgement</h2>
    <p class="small soft">By the player <code>${outline.judge}</code>, which knows in each seat what that seat knew.</p>
    <${LastMove} ...${{ id, outline, events, move, judged, learn }} />
    <${ManyMoves} ...${{ id, outline, events, move, seat, judged, learn, go }} />
  </section>`;
}

/** The judgement of the move that was just made, when it is asked for. */
function LastMove({ id, outline, events, move, judged, learn }) {
  const [state, setState] = useState({ move: -1, words: "", bad: false });
  const number = move - 1;
  const found = judged.get(number);
  const allowed = number >= 0 && outline.seats.includes(outline.moves[number][0]);
  const ask_ = async () => {
    setState({ move: number, words: "Thinking …", bad: false });
    try {
      learn(await ask(`/api/replays/${encodeURIComponent(id)}/moves/${number}/judgement`));
      setState({ move: -1, words: "", bad: false });
    } catch (error) {
      setState({ move: number, words: error.message, bad: true });
    }
  };
  if (!allowed) return html`<p class="soft">${number < 0 ? "Go to a move to have it judged." : "Moves of others are judged when the game is over."}</p>`;
  return html`<div class="last-move">
    <p><strong>${moved(events[number], outline.names)}</strong></p>
    ${found
      ? html`<p role="status">${verdict(found)}</p>`
      : html`<p class="row">
          <button class="small" onClick=${ask_} aria-disabled=${state.words === "Thinking …" || undefined}>Judge this move</button>
          <span role="status" class=${state.bad ? "bad" : "soft"}>${state.move === number ? state.words : ""}</span>
        </p>`}
  </div>`;
}

/** @returns {string} what is thought of a move, in sentences */
function verdict({ forced, played, best, lost, units, errors }) {
  if (forced) return "It was the only move.";
  if (played.option === best.option) return "The judge would have played the same.";
  const would = `The judge would ${best.words}`;
  if ((lost[0] ?? null) === null) return `${would}; it cannot say how much that gains.`;
  if (amount(lost[0], units[0]) === amount(0, units[0])) return `${would}, but thinks both as good.`;
  const told = `${would}: what was played loses ${lostInWords({ lost, units, errors })}`;
  if (errors[0] === null) return `${told}.`;
  return lost[0] > errors[0] ? `${told}, which is clearly worse.` : `${told}, and may be as good.`;
}

/** Many moves, one after the other, until all are judged or somebody stops it. */
function ManyMoves({ id, outline, events, move, seat, judged, learn, go }) {
  const [range, setRange] = useState("deal");
  const [progress, setProgress] = useState(null);
  const [problem, setProblem] = useState("");
  const end = useRef(null);
  useEffect(() => () => end.current?.(), []);
  const stop = () => {
    end.current?.();
    end.current = null;
    setProgress((last) => last && { ...last, running: false });
  };
  const start = () => {
    const query = new URLSearchParams();
    if (seat !== null) query.set("seat", String(seat));
    if (range === "deal") {
      const [first, last] = dealOf(outline, move);
      query.set("first", String(first));
      query.set("last", String(last));
    }
    setProblem("");
    setProgress({ done: 0, of: 0, running: true });
    end.current = follow(`/api/replays/${encodeURIComponent(id)}/judgements?${query}`, {
      message: ({ done, of, judgement, problem: why }) => {
        if (judgement) learn(judgement);
        if (why) setProblem(why);
        setProgress({ done, of, running: done < of });
        if (done >= of) stop();
      },
      state: (live, error) => {
        if (live) return;
        if (error) setProblem(error.message);
        stop();
      },
    });
  };
  const running = progress?.running ?? false;
  const found = [...judged.values()].filter((one) => !one.forced).sort((one, other) => one.move - other.move);
  return html`<div class="many-moves">
    <p class="row">
      ${outline.deals.length > 1 &&
      html`<label class="unseen" for="judged-range">Which moves</label>
        <select id="judged-range" value=${range} onChange=${(event) => setRange(event.currentTarget.value)} disabled=${running}>
          <option value="deal">this deal</option>
          <option value="game">the whole game</option>
        </select>`}
      ${running
        ? html`<button class="small" onClick=${stop}>Stop</button>`
        : html`<button class="small" onClick=${start}>Judge ${seat === null ? "all moves" : `the moves of ${outline.names[seat]}`}</button>`}
    </p>
    ${progress &&
    html`<p role="status" class="small soft">
      ${running ? `Judging: ${progress.done} of ${progress.of || "…"} moves.` : `${found.length} ${found.length === 1 ? "move" : "moves"} judged.`}
    </p>`}
    ${running && html`<progress max=${progress.of || 1} value=${progress.done} aria-label="Moves judged"></progress>`}
    ${problem && html`<p class="notice error" role="alert">${problem}</p>`}
    ${found.length > 1 && html`<${Losses} found=${found} outline=${outline} events=${events} go=${go} />`}
  </div>`;
}

/** The first and the last move of the deal in which a number of moves is. */
function dealOf(outline, move) {
  const at = Math.max(0, outline.deals.findLastIndex((start) => start < Math.max(move, 1)));
  return [outline.deals[at], (outline.deals[at + 1] ?? outline.moves.length) - 1];
}
