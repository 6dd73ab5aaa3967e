// The buttons of a replay: to a deal, to a move, and on by itself.

import { html } from "../dom.js";
import { dealAfter, dealBefore } from "./moves.js";

const PACES = [
  [2, "slow"],
  [1, "normal"],
  [0.5, "fast"],
  [0.15, "very fast"],
];
const ICONS = {
  first: "M5 4h2.5v16H5zM20 4v16L9 12z",
  back: "M17 4v16L6 12z",
  forward: "M7 4v16l11-8z",
  last: "M16.5 4H19v16h-2.5zM4 4v16l11-8z",
  play: "M6 3v18l15-9z",
  pause: "M6 4h4.500v16H6zM13.500 4H18v16h-4.500z",
};

export function Controls({ outline, move, count, go, playing, setPlaying, seconds, setSeconds }) {
  const last = count - 1;
  const several = outline.deals.length > 1;
  const deal = outline.deals.filter((start) => start <= move).length;
  return html`<div class="controls" role="group" aria-label="Playback">
    <div class="row buttons">
      <${Step} icon="first" name=${several ? "Start of the deal" : "Start of the game"} keys="↑" off=${move === 0} press=${() => go(dealBefore(outline, move))} />
      <${Step} icon="back" name="Move back" keys="←" off=${move === 0} press=${() => go(move - 1)} />
      <button
        class="primary"
        onClick=${() => {
          if (!playing && move === last) go(0);
          setPlaying(!playing);
        }}
      >
        <${Icon} name=${playing ? "pause" : "play"} /> ${playing ? "Pause" : "Play"}
      </button>
      <${Step} icon="forward" name="Next move" keys="→" off=${move === last} press=${() => go(move + 1)} />
      <${Step} icon="last" name=${several ? "Next deal" : "End of the game"} keys="↓" off=${move === last} press=${() => go(dealAfter(outline, move))} />
      <label class="row pace">
        <span>Pace</span>
        <select value=${seconds} onChange=${(event) => setSeconds(Number(event.currentTarget.value))}>
          ${PACES.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}
        </select>
      </label>
    </div>
    <label class="slider">
      <span class="small soft">Move ${move} of ${last}${several ? `, deal ${deal} of ${outline.deals.length}` : ""}</span>
      <input
        type="range"
        min="0"
        max=${last}
        value=${move}
        aria-label="Move"
        aria-valuetext=${`move ${move} of ${last}`}
        onInput=${(event) => go(Number(event.currentTarget.value))}
      />
    </label>
    <details class="small soft">
      <summary>Keys</summary>
      <p><kbd>←</kbd> <kbd>→</kbd> a move · <kbd>↑</kbd> <kbd>↓</kbd> a deal · <kbd>Home</kbd> <kbd>End</kbd> the whole game · <kbd>Space</kbd> play or pause</p>
    </details>
  </div>`;
}

function Step({ icon, name, keys, off, press }) {
  return html`<button aria-label=${name} title=${`${name} (${keys})`} aria-disabled=${off || undefined} onClick=${() => !off && press()}>
    <${Icon} name=${icon} />
  </button>`;
}

function Icon({ name }) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="currentColor"><path d=${ICONS[name]} /></svg>`;
}
