// The rules of a game in RECYCLE, coloured, on demand.

import { ask } from "../api.js";
import { html, useState } from "../dom.js";

export function RulesText({ game, chosen }) {
  const [found, setFound] = useState(null);
  const [error, setError] = useState("");
  const open = (event) => {
    if (!event.currentTarget.open || found) return;
    ask(`/api/games/${game.name}/rules`).then(setFound, (problem) => setError(problem.message));
  };
  return html`<section aria-labelledby="recycle">
    <h2 id="recycle">For those who write games</h2>
    ${game.source && html`<p><a href=${inStudio(game, chosen)}>Change these rules in the studio</a>, and play what comes of it.</p>`}
    <details class="more" onToggle=${open}>
      <summary>The rules in RECYCLE</summary>
      ${error && html`<p class="notice" role="alert">${error}</p>`}
      ${found &&
      html`<pre class="recycle" tabindex="0" role="region" aria-label=${`The rules of ${game.title} in RECYCLE`}><code>${found.pieces.map(
          ([text, kind], at) => (kind ? html`<span key=${at} class=${kind}>${text}</span>` : text),
        )}</code></pre>`}
    </details>
  </section>`;
}

/** @returns {string} the address of the studio with the rules of a game, with the settings that are chosen on its page */
function inStudio(game, chosen) {
  const wanted = new URLSearchParams({ game: game.name, preset: chosen?.preset ?? "" });
  for (const [name, value] of Object.entries(chosen?.set ?? {})) wanted.append("set", `${name}=${value}`);
  return `/studio?${wanted}`;
}
