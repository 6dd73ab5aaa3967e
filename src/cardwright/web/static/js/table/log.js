// What happened, in whole sentences: nothing is cut, and what is new is read out. Deals that are over are folded.

import { html, useLayoutEffect, useRef } from "../dom.js";

/**
 * @param {{events: any[], opening: string[], scene: any}} props
 */
export function Log({ events, opening, scene }) {
  const box = useRef(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [events.length]);
  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
  };
  const deals = dealsOf(events);
  return html`<div class="log" ref=${box} role="log" aria-live="polite" aria-label="What happened" tabindex="0" onScroll=${scrolled}>
    ${deals.map(
      (deal, at) =>
        html`<details key=${at} class=${deals.length > 1 ? "" : "only"} open=${at === deals.length - 1}>
          <summary>${heading(deal, at, scene)}</summary>
          ${at === 0 && opening.map((line, row) => html`<p class="change" key=${`opening ${row}`}>${sentence(line)}</p>`)}
          ${deal.map((event) => html`<${Entry} key=${event.version} event=${event} scene=${scene} />`)}
        </details>`,
    )}
  </div>`;
}

function Entry({ event, scene: { seats, seat: own } }) {
  return html`<div class=${`entry ${event.kind} ${event.seat !== null && event.seat === own ? "own" : ""}`}>
    <p>${told(event, seats, own)}</p>
    ${event.changes.map((line, at) => html`<p class="change" key=${at}>${sentence(line)}</p>`)}
  </div>`;
}

/** @returns {any[][]} the events of each deal; a deal goes on until the next one begins */
export function dealsOf(events) {
  const deals = [[]];
  for (const event of events) {
    if (deals.at(-1).some(ends)) deals.push([]);
    deals.at(-1).push(event);
  }
  return deals;
}

function ends({ kind, deal }) {
  return kind === "deal" && deal !== null;
}

/** What a deal was about, where only that is seen of it. */
function heading(deal, at, { seats }) {
  const end = deal.find(ends)?.deal;
  if (!end) return `Deal ${at + 1}`;
  const rows = seats.map(({ seat, name }) => `${name} ${end.points[seat]}`);
  return `Deal ${end.number}: ${rows.join(", ")}${end.results.map(({ words }) => `. ${words}`).join("")}`;
}

/** An event as a sentence, with who did it. */
export function told(event, seats, own) {
  if (event.seat === null) return sentence(event.words);
  if (event.seat === own) return sentence(`You ${event.words}`);
  return sentence(`${seats[event.seat]?.name ?? "?"} ${event.words}`);
}

function sentence(words) {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]”?$/.test(text) ? text : `${text}.`;
}
