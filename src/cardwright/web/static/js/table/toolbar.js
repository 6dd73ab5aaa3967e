// The heading of the table, and its commands.

import { html } from "../dom.js";
import { alone } from "../place.js";
import { talks } from "./say.js";

/**
 * @param {{scene: any, open: (name: string) => void, hint: any, undo: () => void, turn: () => void}} props
 */
export function Toolbar({ scene, open, hint, undo, turn }) {
  const playing = scene.seat !== null && !scene.over;
  return html`<div class="toolbar">
    <h1>${scene.game.title}<span class="soft small"> ${subtitle(scene)}</span></h1>
    <div class="row tools" role="group" aria-label="Commands">
      ${playing && scene.hints && html`<button class="quiet small" aria-disabled=${!hint.possible} aria-pressed=${hint.advice !== null} onClick=${hint.toggle}>Hint</button>`}
      ${playing && scene.practice && html`<button class="quiet small" aria-disabled=${!scene.undo.possible} onClick=${() => scene.undo.possible && undo()}>Take back</button>`}
      ${scene.last && html`<button class="quiet small" onClick=${() => open("last")}>Last trick</button>`}
      ${scene.hand.length > 1 && html`<button class="quiet small" onClick=${turn}>Sort</button>`}
      <button class="quiet small" onClick=${() => open("rules")}>Rules</button>
      ${!alone && html`<button class="quiet small" onClick=${() => open("friends")}>Seats</button>`}
      ${scene.seat !== null && html`<button class="quiet small" onClick=${() => open("share")}>Share</button>`}
      ${talks(scene) && html`<button class="quiet small" onClick=${() => open("say")}>Say</button>`}
      <button class="quiet small" onClick=${() => open("settings")}>Settings</button>
      <button class="quiet small keys" aria-label="Keys" onClick=${() => open("keys")}>?</button>
    </div>
  </div>`;
}

function subtitle(scene) {
  const parts = [];
  if (scene.game.preset) parts.push(scene.game.preset);
  if (scene.sheet.deals.length > (scene.over ? 1 : 0)) parts.push(`deal ${scene.deal}`);
  if (scene.watching)
    parts.push(
      {
        public: "you watch",
        open: scene.awaited.length > 0 ? "you watch; hands are hidden until all players agree" : "you watch, all hands open",
        delayed: "you watch, a little later",
      }[scene.watching],
    );
  else if (scene.watch === "open")
    parts.push(
      scene.awaited.length > 0 ? "spectators would like to see all hands: Seats" : "spectators see all hands",
    );
  else if (scene.watch === "delayed") parts.push("spectators see all hands after the deal");
  return parts.length > 0 ? `· ${parts.join(" · ")}` : "";
}
