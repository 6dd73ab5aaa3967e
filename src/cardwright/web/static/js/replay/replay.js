// A replay: the table at a move, the log beside it, and ways to go on.

import { ask } from "../api.js";
import { html, useEffect, useMemo, useRef, useSetting, useState } from "../dom.js";
import { place, rename } from "../place.js";
import { NO_ACTS } from "../table/acts.js";
import { Board } from "../table/board.js";
import { useKeys } from "../table/keys.js";
import { snapshot } from "../table/motion.js";
import { Sheet } from "../table/sheet.js";
import { Controls } from "./controls.js";
import { Frames } from "./frames.js";
import { Judgement } from "./judgement.js";
import { ReplayLog } from "./log.js";
import { dealAfter, dealBefore, moved, sentence } from "./moves.js";

const LOOKING = { ...NO_ACTS, why: () => undefined };

export function Replay({ id }) {
  const [outline, setOutline] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask(`/api/replays/${encodeURIComponent(id)}`).then(
      (found) => {
        document.title = `Replay of ${found.game.title} · Cardwright`;
        setOutline(found);
      },
      (problem) => setError(problem.message),
    );
  }, [id]);
  if (error) return html`<h1>This cannot be replayed</h1><p class="notice error" role="alert">${error}</p><p><a href="/replay">Replay a saved game</a></p>`;
  if (!outline) return html`<p class="soft" role="status">The game is being read …</p>`;
  return html`<${Player} id=${id} outline=${outline} />`;
}

function Player({ id, outline }) {
  const count = outline.moves.length + 1;
  const [view, setView] = useState(() => viewAsked(outline));
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useSetting("replay-pace", 1);
  const [four] = useSetting("four-colours", false);
  const { seat, move } = view;
  const go = (to) => setView((before) => ({ ...before, move: Math.min(Math.max(to, 0), count - 1) }));
  const { frame, log, error, before, box } = useShown(id, outline, seat, move);
  useEffect(() => {
    const query = new URLSearchParams({ ...(seat === null ? {} : { seat: String(seat + 1) }), move: String(move) });
    rename(`${place().pathname}?${query}`);
  }, [seat, move]);
  useEffect(() => {
    if (!playing || frame?.number !== move) return undefined;
    if (move === count - 1) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => go(move + 1), 1000 * seconds * (frame.event?.trick ? 1.6 : 1));
    return () => clearTimeout(timer);
  }, [playing, frame, move, seconds]);
  const step = (to) => () => {
    setPlaying(false);
    go(to);
  };
  useKeys({
    ArrowLeft: step(move - 1),
    ArrowRight: step(move + 1),
    ArrowUp: step(dealBefore(outline, move)),
    ArrowDown: step(dealAfter(outline, move)),
    Home: step(0),
    End: step(count - 1),
    " ": () => setPlaying((on) => !on),
  });
  const scene = useMemo(() => frame && drawn(frame, outline), [frame]);
  if (error) return html`<p class="notice error" role="alert">${error}</p>`;
  if (!scene || !log) return html`<p class="soft" role="status">The cards are being laid out …</p>`;
  const events = log.events;
  return html`<div class=${`table-page replay ${four ? "four-colours" : ""}`}>
    <div class="play">
      <header class="row spread heading">
        <h1>${scene.game.title} <span class="soft small">${outline.origin}</span></h1>
        <${Eyes} outline=${outline} seat=${seat} change=${(next) => setView({ seat: next, move })} />
      </header>
      <p class="happened" role="status">${happened(events, log.opening, outline, move)}</p>
      <${Board} scene=${scene} act=${LOOKING} before=${before} sweep=${null} box=${box} />
      <${Controls} ...${{ outline, move, count, go: (to) => step(to)(), playing, setPlaying, seconds, setSeconds }} />
      ${frame.scene.over && html`<p class="notice" role="status">${sentence(frame.scene.over.words)}</p>`}
    </div>
    <aside class="side-panel">
      <section class="panel log-panel">
        <h2>Log</h2>
        <${ReplayLog} events=${events} opening=${log.opening} names=${outline.names} deals=${outline.deals} move=${move} go=${(to) => step(to)()} />
      </section>
      <section class="panel"><h2>Scores</h2><${Sheet} scene=${frame.scene} /></section>
      <${Judgement} id=${id} outline=${outline} events=${events} move=${move} seat=${seat} go=${(to) => step(to)()} />
    </aside>
  </div>`;
}

/** From whose eyes: a seat, or all hands where that is allowed. */
function Eyes({ outline, seat, change }) {
  return html`<label class="row eyes">
    <span>Seen</span>
    <select value=${seat ?? "all"} onChange=${({ currentTarget: { value } }) => change(value === "all" ? null : Number(value))}>
      ${outline.seats.map(
        (one) => html`<option key=${one ?? "all"} value=${one ?? "all"}>${one === null ? "with all hands" : `by ${outline.names[one]}`}</option>`,
      )}
    </select>
  </label>`;
}

/** The frame to be shown, and the log; what is shown stays until the next one is there. */
function useShown(id, outline, seat, move) {
  const frames = useMemo(() => new Frames(id, seat, outline.moves.length + 1), [id, seat]);
  const [shown, setShown] = useState({ frame: null, log: null, before: null, error: "" });
  const box = useRef(null);
  useEffect(() => {
    setShown((last) => ({ ...last, log: null }));
    ask(`/api/replays/${encodeURIComponent(id)}/log?seat=${seat ?? "all"}`).then(
      (log) => setShown((last) => ({ ...last, log })),
      (problem) => setShown((last) => ({ ...last, error: problem.message })),
    );
  }, [frames]);
  useEffect(() => {
    let wanted = true;
    frames.at(move).then(
      (frame) =>
        wanted &&
        setShown((last) => {
          const near = last.frame && frame.number === last.frame.number + 1 && box.current;
          return { ...last, frame, before: near ? snapshot(box.current) : null };
        }),
      (problem) => wanted && setShown((last) => ({ ...last, error: problem.message })),
    );
    return () => {
      wanted = false;
    };
  }, [frames, move]);
  return { ...shown, box };
}

/** What is drawn of a frame: a trick that was just completed lies there until the next move. */
function drawn({ scene, event }, outline) {
  const seats = scene.seats.map((seat) => ({ ...seat, here: true, kind: outline.players[seat.seat] === "human" ? "person" : "computer" }));
  return { ...scene, seats, decision: null, trick: scene.trick ?? event?.trick ?? null };
}

function happened(events, opening, outline, move) {
  const event = events[move - 1];
  if (!event) return opening.map(sentence).join(" ") || "The beginning.";
  return [moved(event, outline.names), ...event.changes.map(sentence)].join(" ");
}

/** Where the address says to look; seats count from 1 there, as for people. */
function viewAsked(outline) {
  const query = place().searchParams;
  const wanted = query.has("seat") ? Number(query.get("seat")) - 1 : null;
  const move = Number(query.get("move") ?? 0);
  return {
    seat: outline.seats.includes(wanted) ? wanted : outline.seats[0],
    move: Number.isInteger(move) ? Math.min(Math.max(move, 0), outline.moves.length) : 0,
  };
}
