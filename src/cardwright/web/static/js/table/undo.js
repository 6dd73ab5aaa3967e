// Moves that somebody wants to take back: who asks, and who has to agree.

import { html } from "../dom.js";
import { listed } from "../words.js";

/**
 * @param {{scene: any, feed: any, say: (error: Error) => void}} props
 */
export function UndoBar({ scene, feed, say }) {
  const { undo, seats } = scene;
  if (undo.asked_by === null) return null;
  const asked = undo.asked_by === scene.seat;
  const mine = undo.waiting_for.includes(scene.seat);
  const others = listed(undo.waiting_for.map((seat) => seats[seat].name));
  const agree = (yes) => feed.act("agree", { yes }).catch(say);
  return html`<div class="notice undo" role="alert">
    <p>
      ${asked ? `You ask to take back a move. Waiting for ${others}.` : `${seats[undo.asked_by].name} would like to take back a move.`}
    </p>
    ${
      mine &&
      html`<div class="row">
      <button class="primary small" onClick=${() => agree(true)}>Agree</button>
      <button class="small" onClick=${() => agree(false)}>Refuse</button>
    </div>`
    }
  </div>`;
}
