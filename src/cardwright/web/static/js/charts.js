// Small charts as SVG: bars, a line, and means with their intervals. Each has a sentence for those who do
// not see it, and a table with its numbers.

import { html } from "./dom.js";

const WIDTH = 480;
const HEIGHT = 170;
const LEFT = 44;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 26;

/**
 * Bars of equal width.
 * @param {{title: string, about: string, bars: {label: string, value: number}[], unit: string}} props
 */
export function BarChart({ title, about, bars, unit }) {
  const most = Math.max(...bars.map((bar) => bar.value), 1);
  const step = (WIDTH - LEFT - RIGHT) / bars.length;
  const y = scale(0, most);
  const every = Math.ceil(bars.length / 6);
  return html`<${Figure} title=${title} about=${about} heads=${["", unit]} rows=${bars.map((bar) => [bar.label, number(bar.value)])}>
    <${Rules} values=${ticks(0, most, 4)} y=${y} />
    ${bars.map(
      ({ label, value }, at) =>
        html`<g key=${label}>
          <rect class="bar" x=${LEFT + step * (at + 0.08)} y=${y(value)} width=${step * 0.84} height=${y(0) - y(value)}>
            <title>${label}: ${number(value)} ${unit}</title>
          </rect>
          ${at % every === 0 &&
          html`<text class="tick" x=${LEFT + step * (at + 0.5)} y=${HEIGHT - 8} text-anchor="middle">${label.split("–")[0]}</text>`}
        </g>`,
    )}
  <//>`;
}

/**
 * A line through points, from left to right.
 * @param {{title: string, about: string, points: [number, number][], across: string, up: string}} props
 */
export function LineChart({ title, about, points, across, up }) {
  const last = points[points.length - 1][0];
  const first = points[0][0];
  const least = Math.min(...points.map(([, value]) => value), 0);
  const most = Math.max(...points.map(([, value]) => value), 1);
  const y = scale(least, most);
  const x = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * (value - first)) / Math.max(last - first, 1);
  const path = points.map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  return html`<${Figure} title=${title} about=${about} heads=${[across, up]} rows=${points.map(([at, value]) => [at, number(value)])}>
    <${Rules} values=${ticks(least, most, 4)} y=${y} />
    ${points.length > 1 ? html`<path class="line" d=${`M${path}`} />` : html`<circle class="bar" cx=${x(first)} cy=${y(points[0][1])} r="4" />`}
    ${ticks(first, last, 6).map(
      (at) => html`<text class="tick" key=${at} x=${x(at)} y=${HEIGHT - 8} text-anchor="middle">${number(at)}</text>`,
    )}
  <//>`;
}

/**
 * Means with their 95 % intervals, one a row, and a line at what would be even.
 * @param {{title: string, about: string, rows: {label: string, mean: number, low: number | null, high: number | null}[],
 *   even: number, text: (value: number) => string, unit: string}} props
 */
export function IntervalChart({ title, about, rows, even, text, unit }) {
  const ends = [even, ...rows.flatMap((row) => [row.low ?? row.mean, row.high ?? row.mean])];
  const slack = (Math.max(...ends) - Math.min(...ends)) * 0.12 || 0.05;
  const low = Math.min(...ends) - slack;
  const high = Math.max(...ends) + slack;
  const left = 64;
  const x = (value) => left + ((WIDTH - left - 16) * (value - low)) / (high - low);
  const height = 26 * rows.length + 28;
  return html`<${Figure}
    title=${title}
    about=${about}
    height=${height}
    heads=${["", unit, "95 % interval"]}
    rows=${rows.map((row) => [row.label, text(row.mean), row.low === null ? "–" : `${text(row.low)} to ${text(row.high)}`])}
  >
    <line class="even" x1=${x(even)} x2=${x(even)} y1="4" y2=${height - 24} />
    ${rows.map((row, at) => {
      const y = 18 + 26 * at;
      return html`<g key=${row.label}>
        <text class="name" x=${left - 10} y=${y + 4} text-anchor="end">${row.label}</text>
        ${row.low !== null && html`<line class="interval" x1=${x(row.low)} x2=${x(row.high)} y1=${y} y2=${y} />`}
        <circle class="bar" cx=${x(row.mean)} cy=${y} r="4.5"><title>${row.label}: ${text(row.mean)}</title></circle>
      </g>`;
    })}
    ${ticks(low, high, 5).map(
      (at) => html`<text class="tick" key=${at} x=${x(at)} y=${height - 8} text-anchor="middle">${text(at)}</text>`,
    )}
  <//>`;
}

/** The frame of a chart: its title, the drawing, and the numbers on demand. */
function Figure({ title, about, height = HEIGHT, heads, rows, children }) {
  return html`<figure class="chart">
    <figcaption><strong>${title}</strong> <span class="soft">${about}</span></figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${height}`} role="img" aria-label=${`${title}. ${about}`}>${children}</svg>
    <details>
      <summary>Numbers</summary>
      <div class="scrolled" tabindex="0" role="region" aria-label=${`Numbers: ${title}`}>
        <table>
          <thead>
            <tr>
              ${heads.map((head, at) => html`<th key=${at} scope="col" class=${at ? "number" : ""}>${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row, at) =>
                html`<tr key=${at}>
                  ${row.map((cell, column) => html`<td key=${column} class=${column ? "number" : ""}>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`;
}

function Rules({ values, y }) {
  return values.map(
    (value) =>
      html`<g key=${value}>
        <line class="rule" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(value)} y2=${y(value)} />
        <text class="tick" x=${LEFT - 6} y=${y(value) + 4} text-anchor="end">${number(value)}</text>
      </g>`,
  );
}

function scale(low, high) {
  return (value) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (value - low)) / (high - low || 1);
}

/**
 * Round numbers in equal steps.
 * @param {number} low
 * @param {number} high
 * @param {number} most how many at most
 * @returns {number[]}
 */
export function ticks(low, high, most) {
  if (!(high > low)) return [low];
  const size = 10 ** Math.floor(Math.log10((high - low) / most));
  const step = [1, 2, 5, 10, 20, 50]
    .map((factor) => size * factor)
    .find((one) => Math.floor(high / one + 1e-9) - Math.ceil(low / one - 1e-9) < most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/**
 * @param {number} value
 * @param {number} [digits] after the point, at most
 */
export function number(value, digits = 1) {
  return new Intl.NumberFormat("en", { maximumFractionDigits: Math.abs(value) < 1 && value !== 0 ? digits + 1 : digits }).format(value);
}

/** @param {number} share */
export function percent(share) {
  return `${number(100 * share)} %`;
}
