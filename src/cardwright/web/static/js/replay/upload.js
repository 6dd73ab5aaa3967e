// The form that takes a saved game and shows it.

import { ask } from "../api.js";
import { html, useState } from "../dom.js";
import { alone, go } from "../place.js";

const LARGEST = 8 * 2 ** 20;

export function Upload() {
  const [state, setState] = useState({ words: "", bad: false });
  const take = async (file) => {
    if (!file) return;
    setState({ words: "The game is being read …", bad: false });
    try {
      const { link } = await ask("/api/replays", { body: await parsed(file) });
      go(link);
    } catch (error) {
      setState({ words: error.message, bad: true });
    }
  };
  const drop = (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  };
  return html`<div class="prose">
    <h1>Replay a game</h1>
    <p>
      A game that was saved at a table, or by <code>cardwright play GAME --save FILE</code>, can be replayed here: from any
      seat, or with all hands if it is over, and with what a strong player thinks of the moves.
    </p>
    <div class="panel drop" onDragOver=${(event) => event.preventDefault()} onDrop=${drop}>
      <label class="field">
        <span>The file of a saved game, which ends in <code>.cardwright.json</code></span>
        <input type="file" accept=".json,application/json" onChange=${(event) => take(event.currentTarget.files[0])} />
      </label>
      <p class="soft small">
        Or drop it here. ${alone ? "It stays in this browser." : "It is sent to this server, which keeps the game under a link that is hard to guess."}
      </p>
    </div>
    <p class=${state.bad ? "notice error" : "soft"} role=${state.bad ? "alert" : "status"}>${state.words}</p>
    <p class="soft">
      Games of tables here have a button for their replay when they are
      over${!alone && html`; those of <a href="/seasons">seasons</a> are on the pages of the season`}.
    </p>
  </div>`;
}

async function parsed(file) {
  if (file.size > LARGEST) throw new Error(`${file.name} is too large to be a saved game.`);
  let value;
  try {
    value = JSON.parse(await file.text());
  } catch (error) {
    throw new Error(`${file.name} is not a saved game, or only a part of one: it is not JSON (${error.message}).`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${file.name} is not a saved game: there is no object in it.`);
  }
  return value;
}
