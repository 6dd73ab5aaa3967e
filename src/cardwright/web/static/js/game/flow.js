// How cards move in a game: a diagram, and the same in sentences.

import { ask, fileAt } from "../api.js";
import { html } from "../dom.js";
import { useWhenSeen } from "./when_seen.js";

export function CardFlow({ game }) {
  const { place, found, error } = useWhenSeen(async () => {
    const address = `/api/games/${game.name}/flow`;
    const words = await ask(address);
    return { ...words, picture: await fileAt(`${address}.svg`) };
  });
  return html`<section ref=${place} aria-labelledby="flow" aria-busy=${!found && !error}>
    <h2 id="flow">How cards move</h2>
    <p class="soft">
      Where cards lie and who sees them there. An arrow has the number of cards that go that way in a game, on average
      over ${found ? found.games : "some"} random games. Names are those of the rules below.
    </p>
    ${error && html`<p class="notice" role="alert">${error}</p>`}
    ${!found && !error && html`<p class="soft waiting">The diagram is being drawn …</p>`}
    ${found &&
    html`<div class="picture" tabindex="0" role="region" aria-label="Diagram of how cards move">
        <a href=${found.picture} title="The diagram alone"><img src=${found.picture} alt="Diagram of how cards move; the sentences below say the same." /></a>
      </div>
      <details class="more">
        <summary>The same in sentences</summary>
        <ul>
          ${found.words.map((words) => html`<li key=${words}>${words}</li>`)}
        </ul>
      </details>`}
  </section>`;
}
