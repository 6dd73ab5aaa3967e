// Playing again with the same people: who has asked for it, and what can be otherwise.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";
import { alone } from "../place.js";
import { others } from "./say.js";

/**
 * @param {{scene: any, again: (wanted: object) => void, waiting: boolean}} props `again` goes to the next table
 */
export function Again({ scene, again, waiting }) {
  const { again: by, seat, seats } = scene;
  const [wanted, setWanted] = useState({});
  const [open, setOpen] = useState(false);
  if (by !== null) {
    const plays = by === seat ? "You play again already." : `${seats[by].name} plays again.`;
    return html`<div class="notice friends-bar" role="status">
      <p>${plays}</p>
      <button class="primary" disabled=${waiting} onClick=${() => again({})}>${seat === null ? "Watch" : by === seat ? "Go there" : "Play along"}</button>
    </div>`;
  }
  if (seat === null) return null;
  return html`<p class="row">
      <button class="primary" disabled=${waiting} onClick=${() => again(wanted)}>Play again</button>
      ${!alone && others(scene) && html`<span class="soft small">The others are asked. Nobody waits for those who do not come: computers can play for them.</span>`}
    </p>
    <details class="more" onToggle=${(event) => setOpen(event.currentTarget.open)}>
      <summary>With other settings</summary>
      ${open && html`<${Settings} ...${{ scene, wanted, setWanted }} />`}
    </details>`;
}

function Settings({ scene, wanted, setWanted }) {
  const [game, setGame] = useState(null);
  useEffect(() => {
    const none = { presets: [], computer_players: [] };
    ask(`/api/games/${encodeURIComponent(scene.game.name)}`).then(setGame, () => setGame(none));
  }, []);
  if (game === null) return html`<p role="status">One moment …</p>`;
  const change = (name, value) => {
    const { [name]: _, ...rest } = wanted;
    setWanted(value === "" ? rest : { ...rest, [name]: value });
  };
  const computers = scene.seats.some(({ kind }) => kind === "computer");
  const presets = game.presets.map(({ name }) => [name, name.replaceAll("_", " ")]);
  const players = computers ? game.computer_players.map(({ player, strength }) => [player, `${player}: ${strength}`]) : [];
  if (presets.length + players.length === 0)
    return html`<p class="soft">Nothing else can be set while the same people play. <i>Another table</i> has all options.</p>`;
  return html`<p class="row">
    <${Select} label="Variant" values=${presets} value=${wanted.preset} change=${(value) => change("preset", value)} />
    <${Select} label="Computer players" values=${players} value=${wanted.player} change=${(value) => change("player", value)} />
  </p>`;
}

function Select({ label, values, value = "", change }) {
  if (values.length === 0) return null;
  return html`<label class="field"><span>${label}</span>
    <select onChange=${(event) => change(event.currentTarget.value)}>
      ${[["", "as before"], ...values].map(([one, words]) => html`<option key=${one} value=${one} selected=${one === value}>${words}</option>`)}
    </select>
  </label>`;
}
