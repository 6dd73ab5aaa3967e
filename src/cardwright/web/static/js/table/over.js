// The end of the game: who won, all ranks, and where to go from here.

import { ask } from "../api.js";
import { html, useLayoutEffect, useRef, useState } from "../dom.js";
import { go } from "../place.js";
import { download } from "../download.js";
import { CountedGame } from "../record/counted_game.js";
import { Again } from "./again.js";
import { Results } from "./deal_end.js";

/**
 * @param {{scene: any, feed: import("./feed.js").Feed, say: (error: Error) => void}} props
 */
export function Over({ scene, feed, say }) {
  const { over, seats, deal_end: end, sheet } = scene;
  const deals = end !== null && sheet.deals.length > 1;
  const heading = useRef(null);
  const [waiting, setWaiting] = useState(false);
  useLayoutEffect(() => {
    heading.current.focus({ preventScroll: true });
    heading.current.parentElement.scrollIntoView({ block: "nearest" });
  }, []);
  const leave = async (find) => {
    setWaiting(true);
    try {
      go(await find());
    } catch (error) {
      setWaiting(false);
      say(error);
    }
  };
  const again = (wanted) => leave(async () => (await feed.act("again", wanted)).link);
  const save = async () => {
    try {
      const game = await ask(`${feed.address}/save`);
      download(`${scene.game.name}.cardwright.json`, "application/json", `${JSON.stringify(game, null, 1)}\n`);
    } catch (error) {
      say(error);
    }
  };
  const replay = () => leave(async () => (await feed.act("replay")).link);
  const ranked = seats.map((seat) => ({ seat, rank: over.ranks[seat.seat], score: over.scores[seat.seat] }));
  ranked.sort((one, other) => one.rank - other.rank);
  return html`<section class="over panel" aria-labelledby="over">
    <h2 id="over" tabindex="-1" ref=${heading}>${sentence(over.words)}</h2>
    ${end && html`<${Results} end=${end} />`}
    <table>
      <thead>
        <tr>
          <th scope="col">Rank</th><th scope="col">Name</th>
          ${deals && html`<th scope="col" class="number">Last deal</th>`}
          <th scope="col" class="number">Score</th>
        </tr>
      </thead>
      <tbody>
        ${ranked.map(
          ({ seat, rank, score }) =>
            html`<tr key=${seat.seat} class=${seat.seat === scene.seat ? "own" : ""}>
              <td>${rank + 1}</td>
              <th scope="row">${seat.name}${seat.seat === scene.seat && seat.name !== "You" ? " (you)" : ""}</th>
              ${deals && html`<td class="number">${end.points[seat.seat]}</td>`}
              <td class="number">${score}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${scene.seat !== null && html`<${CountedGame} feed=${feed} title=${scene.game.title} />`}
    <${Again} ...${{ scene, again, waiting }} />
    <p class="row">
      <button disabled=${waiting} onClick=${replay}>Replay and judge</button>
      <button onClick=${save}>Save the game</button>
      <a class="button" href=${`/games/${encodeURIComponent(scene.game.name)}`}>Another table</a>
      <a class="button" href="/">Other games</a>
    </p>
  </section>`;
}

function sentence(words) {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
