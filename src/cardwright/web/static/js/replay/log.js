// The log of a replay: each entry leads to its move.

import { html, useEffect, useRef } from "../dom.js";
import { moved, sentence } from "./moves.js";

/**
 * @param {{events: any[], opening: string[], names: string[], deals: number[], move: number, go: (move: number) => void}} props
 */
export function ReplayLog({ events, opening, names, deals, move, go }) {
  const box = useRef(null);
  useEffect(() => {
    const entry = box.current.querySelector("[aria-current]");
    if (!entry) return;
    const [top, bottom] = [box.current.scrollTop, box.current.scrollTop + box.current.clientHeight];
    if (entry.offsetTop < top || entry.offsetTop + entry.offsetHeight > bottom) {
      box.current.scrollTop = entry.offsetTop - box.current.clientHeight / 3;
    }
  }, [move]);
  const starts = new Set(deals.length > 1 ? deals : []);
  return html`<ol class="log replay-log" ref=${box} tabindex="0" aria-label="Moves">
    <li>
      <button class="quiet entry" aria-current=${move === 0 ? "step" : undefined} onClick=${() => go(0)}>The beginning</button>
      ${opening.map((line, at) => html`<p class="change" key=${at}>${sentence(line)}</p>`)}
    </li>
    ${events.map(
      (event, at) =>
        html`<li key=${at}>
          ${starts.has(at) && html`<p class="deal">Deal ${deals.indexOf(at) + 1}</p>`}
          <button class="quiet entry" aria-current=${move === at + 1 ? "step" : undefined} onClick=${() => go(at + 1)}>
            ${moved(event, names)}
          </button>
          ${event.changes.map((line, number) => html`<p class="change" key=${number}>${sentence(line)}</p>`)}
        </li>`,
    )}
  </ol>`;
}
