// What stands between the rules and what they do: dragged, or moved by arrow keys.

import { html } from "../dom.js";

const LEAST = 25;
const MOST = 75;
const STEP = 5;
const KEYS = { ArrowLeft: -STEP, ArrowRight: STEP };

/** @param {{share: number, change: (share: number) => void}} props `share` is that of the left side, of 100 */
export function Divider({ share, change }) {
  const set = (next) => change(Math.min(Math.max(Math.round(next), LEAST), MOST));
  const drag = (event) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = event.currentTarget.parentElement.getBoundingClientRect();
    set((100 * (event.clientX - left)) / width);
  };
  const press = (event) => {
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    set(share + KEYS[event.key]);
  };
  return html`<div
    class="divider"
    role="separator"
    tabindex="0"
    aria-label="Width of the rules"
    aria-orientation="vertical"
    aria-valuenow=${share}
    aria-valuemin=${LEAST}
    aria-valuemax=${MOST}
    onPointerDown=${(event) => event.currentTarget.setPointerCapture(event.pointerId)}
    onPointerMove=${drag}
    onKeyDown=${press}
    onDblClick=${() => set(50)}
  ></div>`;
}
