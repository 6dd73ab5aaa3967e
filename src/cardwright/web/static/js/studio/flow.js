// The flow of cards: a picture of where cards go in random games.

import { html, useEffect, useState } from "../dom.js";
import { ask } from "../api.js";
import { Trouble } from "./trouble.js";

/**
 * @param {{shown: boolean, text: string | null, goToLine: (line: number, column?: number) => void}} props
 *   `text` are rules without errors, or null
 */
export function Flow({ shown, text, goToLine }) {
  const [drawn, setDrawn] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    if (!shown || text === null || drawn?.text === text) return undefined;
    const end = new AbortController();
    setError(null);
    ask("/api/studio/flow", { body: { source: text }, signal: end.signal })
      .then((found) => setDrawn({ text, ...found }))
      .catch((failure) => failure.name !== "AbortError" && setError(failure));
    return () => end.abort();
  }, [shown, text]);
  if (error) return html`<${Trouble} error=${error} goToLine=${goToLine} />`;
  if (text === null && drawn === null) return html`<p>Without errors in the rules, the way of the cards is drawn here.</p>`;
  if (drawn === null) return html`<p class="soft" role="status">Playing random games …</p>`;
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.svg)}`;
  return html`<p>
      Where cards go in ${drawn.games} random games; the numbers are cards a game.
      ${drawn.text !== text && html` <em>These are the rules of before.</em>`}
    </p>
    <div class="picture" role="region" aria-label="Picture of the flow of cards" tabindex="0">
      <img src=${address} alt="Diagram: places as boxes, grouped by their owners, and arrows for the cards that move between them; the same in sentences is below" />
    </div>
    <details>
      <summary>The same in sentences</summary>
      <ul>
        ${drawn.words.map((sentence) => html`<li key=${sentence}>${sentence}</li>`)}
      </ul>
    </details>`;
}
