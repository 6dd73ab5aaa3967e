// What moves lose: a chart in the order of the game, the sum of each seat, and the worst moves first.

import { html } from "../dom.js";
import { amount, inWords } from "../units.js";
import { counted } from "../words.js";
import { lostInWords, moved } from "./moves.js";

const WIDTH = 320;
const HEIGHT = 96;
const WORST = 8;

export function Losses({ found, outline, events, go }) {
  const known = found
    .filter(({ lost }) => (lost[0] ?? null) !== null)
    .map((one) => ({ ...one, losses: one.lost, lost: one.lost[0] }));
  if (known.length === 0) return null;
  const [unit] = known[0].units;
  const worst = [...known].sort((one, other) => other.lost - one.lost || one.move - other.move).filter((one) => amount(one.lost, unit) !== amount(0, unit));
  const seats = outline.names.map((name, seat) => {
    const own = known.filter((one) => one.seat === seat);
    return { name, moves: own.length, lost: own.reduce((sum, one) => sum + one.lost, 0) };
  });
  return html`<${Chart} known=${known} unit=${unit} go=${go} outline=${outline} events=${events} />
    <table class="small">
      <caption class="unseen">What the judged moves lose, by seat</caption>
      <thead>
        <tr><th scope="col">Seat</th><th scope="col" class="number">Moves</th><th scope="col" class="number">Lost in all: ${unit.words}</th></tr>
      </thead>
      <tbody>
        ${seats
          .filter(({ moves }) => moves > 0)
          .map(({ name, moves, lost }) => html`<tr key=${name}><th scope="row">${name}</th><td class="number">${moves}</td><td class="number">${amount(lost, unit)}</td></tr>`)}
      </tbody>
    </table>
    ${worst.length > 0 &&
    html`<h3>Worst moves</h3>
      <ol class="worst">
        ${worst.slice(0, WORST).map(
          (one) =>
            html`<li key=${one.move}>
              <button class="quiet small" onClick=${() => go(one.move + 1)}>${moved(events[one.move], outline.names)}</button>
              <p class="change small">Loses ${lostInWords({ ...one, lost: one.losses })}; the judge would ${one.best.words}.</p>
            </li>`,
        )}
      </ol>`}`;
}

/** A bar for each move that was judged; the list of the worst is for those who do not see it. */
function Chart({ known, unit, go, outline, events }) {
  if (known.length === 0) return null;
  const most = Math.max(...known.map((one) => one.lost), 1e-9);
  const step = (WIDTH - 4) / known.length;
  const total = known.reduce((sum, one) => sum + one.lost, 0);
  return html`<svg
    class="losses"
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    role="img"
    aria-label=${`Losses of ${counted(known.length, "move")} in the order of the game; the largest is ${inWords(most, unit)}, all together ${inWords(total, unit)}.`}
  >
    <line class="ground" x1="0" x2=${WIDTH} y1=${HEIGHT - 2} y2=${HEIGHT - 2} />
    ${known.map((one, at) => {
      const height = (one.lost / most) * (HEIGHT - 18);
      return html`<g key=${one.move} class="bar" onClick=${() => go(one.move + 1)}>
        <title>${`${moved(events[one.move], outline.names)} Loses ${inWords(one.lost, unit)}.`}</title>
        <rect class="reach" x=${2 + step * at} y="0" width=${step} height=${HEIGHT} />
        <rect x=${2 + step * (at + 0.1)} y=${HEIGHT - 2 - Math.max(height, 1)} width=${step * 0.8} height=${Math.max(height, 1)} />
      </g>`;
    })}
    <text x="2" y="11">${inWords(most, unit)}</text>
  </svg>`;
}
