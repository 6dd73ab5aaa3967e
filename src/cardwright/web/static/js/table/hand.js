// One's own hand: fanned, sorted, walked through with arrow keys; what cannot be played stays in reach and says why.

import { counted } from "../words.js";
import { Card } from "../cards/card.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../dom.js";
import { HintMark } from "./hint.js";

const LEAST_STEP = 27; /* of a card's left edge that can be seen and touched, in pixels */
const MOST_TURN = 5; /* degrees by which the outer cards of a fan are turned */
const GAP = 0.35; /* of a card's width between groups */
const LEAN = 0.22; /* of a card's width by which their corners then reach out of the fan */

/**
 * @param {{cards: any[], groups?: {groups: number[][], words: string} | null, fresh: number[], act: import("./board.js").Acts, active: boolean}} props `groups` is how the
 *   hand is laid; `fresh` are cards that have just come; `active` while something is asked
 */
export function Hand({ cards, groups = null, fresh, act, active }) {
  const box = useRef(null);
  const [focus, setFocus] = useState(0);
  const width = useWidth(box);
  const at = Math.min(focus, cards.length - 1);
  const ends = new Set((groups?.groups ?? []).map((group) => group.at(-1)).filter((id) => id !== cards.at(-1)?.id));
  const card = cardWidth(box.current);
  const gap = gapOf(ends.size, width - (1 + 2 * LEAN) * card - (cards.length - 1) * LEAST_STEP, card);
  const rows = rowsOf(cards, width - ends.size * gap, card);
  const grouped = new Set(groups?.groups.flat());
  const dim = active && cards.some((face) => act.lit.has(face.id));
  let index = 0;
  const move = (event) => {
    const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cards.length - 1 }[event.key];
    if (goal === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = (goal + cards.length) % cards.length;
    setFocus(next);
    box.current.querySelectorAll(".card-button")[next]?.focus();
  };
  return html`<section class=${`hand ${active ? "active" : ""}`} ref=${box} style=${{ "--gap": `${gap}px` }} aria-label=${`Your hand, ${counted(cards.length, "card")}`} onKeyDown=${move}>
    ${rows.map(
      (row, number) =>
        html`<ul key=${number} class="fan" style=${{ "--step": `${row.step}px` }}>
          ${row.cards.map((face, place) => {
            const own = index++;
            return html`<${HandCard}
              key=${face.id}
              face=${face}
              act=${act}
              active=${active}
              dim=${dim}
              fresh=${fresh.includes(face.id)}
              bend=${rows.length === 1 ? (2 * place) / (row.cards.length - 1 || 1) - (row.cards.length > 1 ? 1 : 0) : 0}
              spread=${Math.min(MOST_TURN, row.cards.length / 2)}
              first=${place === 0}
              laid=${[grouped.has(face.id) && "grouped", ends.has(face.id) && "ends"]}
              focused=${own === at}
              take=${() => setFocus(own)}
            />`;
          })}
        </ul>`,
    )}
    ${groups?.words && html`<p class="left-over small">${groups.words}</p>`}
    ${cards.length === 0 && html`<p class="unseen">Your hand is empty.</p>`}
  </section>`;
}

function HandCard({ face, act, active, dim, fresh, bend, spread, first, laid, focused, take }) {
  const lit = act.lit.has(face.id);
  const picked = act.picked.cards.has(face.id);
  const drag = useDrag(() => lit && act.drop(face.id), lit);
  const press = () => {
    if (drag.moved.current) return;
    take();
    if (lit) act.card(face.id);
    else act.why(face.id);
  };
  const state = [lit ? "lit" : dim ? "dim" : "", picked && "picked", fresh && "fresh"].filter(Boolean).join(" ");
  const turn = `${(bend * spread).toFixed(2)}deg`;
  return html`<li class=${[first && "first", ...laid].filter(Boolean).join(" ")} style=${{ "--turn": turn, "--sink": `${(bend * bend * spread * 2).toFixed(1)}px` }}>
    <button
      class=${`card-button ${state}`}
      data-face=${face.id}
      tabindex=${focused ? 0 : -1}
      aria-pressed=${picked || act.several ? picked : undefined}
      aria-disabled=${active && !lit}
      onClick=${press}
      onFocus=${take}
      ...${drag.events}
    >
      <span class="unseen">${face.name}${fresh ? ", new" : ""}</span>
      <${HintMark} mark=${act.advice?.cards.get(face.id)} />
      <${Card} face=${face} silent />
    </button>
  </li>`;
}

/** Dragging by pointer: the card follows; let go above the hand, it is dropped on the table. */
function useDrag(drop, enabled) {
  const start = useRef(null);
  const moved = useRef(false);
  const finish = (event) => {
    if (start.current === null) return;
    const { y, element } = start.current;
    start.current = null;
    element.style.translate = "";
    element.classList.remove("dragged");
    if (moved.current && event.type === "pointerup" && event.clientY < y - 60) drop();
  };
  const events = {
    onPointerDown: (event) => {
      moved.current = false;
      if (!enabled || event.button !== 0) return;
      start.current = { x: event.clientX, y: event.clientY, element: event.currentTarget };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      if (start.current === null) return;
      const [x, y] = [event.clientX - start.current.x, event.clientY - start.current.y];
      if (!moved.current && Math.hypot(x, y) < 8) return;
      moved.current = true;
      event.currentTarget.classList.add("dragged");
      event.currentTarget.style.translate = `${x}px ${y}px`;
    },
    onPointerUp: finish,
    onPointerCancel: finish,
  };
  return { events, moved };
}

/** The gap after each group, as far as there is room in a row. */
function gapOf(count, spare, card) {
  return count === 0 ? 0 : Math.max(0, Math.min(GAP * card, spare / count));
}

/** @returns {{cards: any[], step: number}[]} the hand in as many rows as leave every card in reach */
function rowsOf(cards, width, card) {
  if (cards.length === 0 || width === 0) return cards.length ? [{ cards, step: LEAST_STEP }] : [];
  const room = width - (1 + 2 * LEAN) * card;
  const fitting = Math.max(1, Math.floor(room / LEAST_STEP) + 1);
  const count = Math.ceil(cards.length / fitting);
  const length = Math.ceil(cards.length / count);
  const step = length > 1 ? Math.min(card * 0.72, room / (length - 1)) : card;
  return Array.from({ length: count }, (_, row) => ({
    cards: cards.slice(row * length, (row + 1) * length),
    step,
  }));
}

function cardWidth(box) {
  return box?.querySelector(".card")?.offsetWidth || 80;
}

function useWidth(box) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => setWidth(box.current.clientWidth), []);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(entry.contentRect.width));
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  return width;
}
