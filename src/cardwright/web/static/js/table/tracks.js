// Tracks: a row of holes for each player or team, with a peg where it stands and one where it stood before.

import { html, useEffect, useRef } from "../dom.js";

const MOST = 36; /* holes in a row, then it goes on in the next */
const STEP = 10;

/** @param {{track: any}} props */
export function Track({ track }) {
  const rows = Math.ceil(track.holes / MOST);
  const columns = Math.ceil(track.holes / rows);
  return html`<figure class="track">
    <figcaption>${track.name}</figcaption>
    ${track.pegs.map((peg) => html`<${Lane} key=${peg.name} ...${{ peg, rows, columns, holes: track.holes }} />`)}
  </figure>`;
}

function Lane({ peg, rows, columns, holes }) {
  const last = useRef({ now: peg.hole, before: null });
  const before = last.current.now === peg.hole ? last.current.before : last.current.now;
  useEffect(() => {
    last.current = { now: peg.hole, before };
  }, [peg.hole]);
  const spots = Array.from({ length: holes }, (_, at) => at + 1);
  return html`<div class="lane" data-team=${peg.team ?? peg.seat % 3} role="img" aria-label=${`${peg.name}: ${peg.hole} of ${holes}`}>
    <span class="name">${peg.name} <b>${peg.hole}</b></span>
    <svg viewBox=${`0 0 ${columns * STEP} ${rows * STEP}`}>
      ${spots.map((hole) => {
        const [x, y] = [((hole - 1) % columns) * STEP + STEP / 2, Math.floor((hole - 1) / columns) * STEP + STEP / 2];
        const state = hole === peg.hole ? "peg" : hole === before ? "peg before" : hole % 5 ? "" : "fifth";
        return html`<circle key=${hole} class=${state} cx=${x} cy=${y} r=${state.startsWith("peg") ? 4 : 1.7} />`;
      })}
    </svg>
  </div>`;
}
