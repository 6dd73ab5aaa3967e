// A seat: who sits there, whose turn it is, the score, the hidden cards, and what lies before it.

import { Back } from "../cards/card.js";
import { Signed } from "../cards/signs.js";
import { html } from "../dom.js";
import { nameless } from "../words.js";
import { NO_ACTS } from "./acts.js";
import { Piles, TableCard } from "./piles.js";

/**
 * Another seat, or any seat for those who only look.
 * @param {{seat: any, scene: any, act: import("./board.js").Acts}} props
 */
export function Seat({ seat, scene, act }) {
  const due = seat.due && scene.over === null;
  return html`<section class=${`seat ${stateOf(seat, due, act)}`} data-seat=${seat.seat} data-team=${seat.team} aria-label=${spoken(seat, due)}>
    <${Plaque} seat=${seat} act=${act} />
    <p class="state small">${status(seat, due, scene)}</p>
    ${seat.cards > 0 && html`<${Hidden} count=${seat.cards} />`}
    ${seat.hand.length > 0 && html`<${Row} faces=${seat.hand} name=${`${seat.name}'s hand`} class="open-hand" act=${act} />`}
    <${Belongings} seat=${seat} act=${{ ...act, draws: NO_ACTS.draws }} />
  </section>`;
}

/** What lies before one's own seat: its name and hand are elsewhere. */
export function OwnPlace({ seat, act }) {
  return html`<section class="seat own" aria-label="Before you"><${Belongings} seat=${seat} act=${act} /></section>`;
}

/** One's own name and score. */
export function OwnPlaque({ seat, scene, act }) {
  const due = seat.due && scene.over === null;
  return html`<div class=${`own-plaque ${stateOf(seat, due, act)}`} data-seat=${seat.seat} data-team=${seat.team}>
    <span class="unseen">${seat.name === "You" ? "Your seat" : `You are ${seat.name}`}${standing(seat, due)}</span>
    <${Plaque} seat=${seat} act=${act} silent />
  </div>`;
}

function Plaque({ seat, act, silent }) {
  const content = html`
    <span class="medal" aria-hidden="true">${seat.kind === "computer" ? html`<${Chip} />` : initial(seat.name)}</span>
    <span class="name" aria-hidden=${silent}>${seat.name}</span>
    <span class="standing" aria-hidden="true">
      ${seat.score !== null && html`<span class="score" title="Score">${seat.score}</span>`}
      ${seat.points ? html`<span class="points" title="Points in this deal">+${seat.points}</span>` : null}
    </span>
  `;
  if (act.players.has(seat.seat))
    return html`<button class="plaque" aria-pressed=${act.picked.player === seat.seat} onClick=${() => act.player(seat.seat)}>${content}</button>`;
  return silent ? html`<div class="plaque">${content}</div>` : html`<h2 class="plaque">${content}</h2>`;
}

function Belongings({ seat, act }) {
  return html`
    ${seat.facts.length > 0 && html`<ul class="facts">${seat.facts.map((fact) => html`<li key=${fact}><${Signed} text=${fact} /></li>`)}</ul>`}
    ${seat.taken.length > 0 && html`<${Row} faces=${seat.taken} name="counting cards taken in this deal" class="taken" act=${NO_ACTS} />`}
    ${seat.piles.length > 0 && html`<${Piles} piles=${seat.piles} act=${act} />`}
  `;
}

/** Cards in a row; those that can be chosen are buttons, such as the dummy's. */
function Row({ faces, name, act, class: style }) {
  return html`<div class=${style} role="list" aria-label=${name}>
    ${faces.map((face) => html`<span role="listitem" key=${face.id}><${TableCard} face=${face} act=${act} /></span>`)}
  </div>`;
}

/** The backs of the hidden cards of a hand, and how many they are. */
function Hidden({ count }) {
  return html`<p class="hidden-hand">
    <span class="backs" aria-hidden="true">${Array.from({ length: Math.min(count, 7) }, (_, at) => html`<${Back} key=${at} />`)}</span>
    <span>${count}<span class="unseen">${count === 1 ? " card" : " cards"}</span></span>
  </p>`;
}

function stateOf(seat, due, act) {
  const states = {
    due,
    empty: seat.kind === "empty",
    lit: act.players.has(seat.seat),
    picked: act.picked.player === seat.seat,
  };
  return Object.keys(states)
    .filter((state) => states[state])
    .join(" ");
}

function status(seat, due, scene) {
  if (seat.kind === "empty") return nameless(seat) ? "This seat is free" : "has not come yet";
  const chooses = scene.choosing.includes(seat.seat);
  if (due && seat.kind === "computer") return "is thinking …";
  if (chooses && scene.choosing.length > 1) return "choosing …";
  if (due) return "to play";
  if (seat.kind === "person" && !seat.here) return "away";
  const partner = scene.seat !== null && seat.team !== null && seat.team === scene.seats[scene.seat].team;
  return partner ? "your partner" : "";
}

function spoken(seat, due) {
  return `${seat.name}${standing(seat, due)}`;
}

function standing(seat, due) {
  const parts = [""];
  if (due) parts.push("to play");
  if (seat.score !== null) parts.push(`score ${seat.score}`);
  if (seat.points) parts.push(`${seat.points} in this deal`);
  return parts.join(", ");
}

function initial(name) {
  return [...name][0]?.toUpperCase() ?? "?";
}

/** Who plays here is a computer player. */
function Chip() {
  return html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round">
    <rect x="6.5" y="6.5" width="11" height="11" rx="2" />
    <path d="M9.5 3.5v3M14.5 3.5v3M9.5 17.5v3M14.5 17.5v3M3.5 9.5h3M3.5 14.5h3M17.5 9.5h3M17.5 14.5h3" />
  </svg>`;
}
