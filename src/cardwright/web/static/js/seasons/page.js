// The seasons of the league: which there are, how far each is, and who leads.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";
import { Frame } from "../frame.js";

const WAIT = 10_000;

function Seasons() {
  const [found, setFound] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    const look = () =>
      ask("/api/seasons").then(
        (all) => {
          setFound(all);
          setError("");
        },
        (problem) => setError(problem.message),
      );
    look();
    const timer = setInterval(() => document.visibilityState === "visible" && look(), WAIT);
    return () => clearInterval(timer);
  }, []);
  return html`<${Frame} current="/seasons">
    <h1>Seasons of the league</h1>
    <p class="prose soft">
      Programs that play Hearts meet in seasons: each plays with the others in all seats. While a season is played its
      table grows here.
    </p>
    ${error && html`<p class="notice error" role="alert">${error}</p>`}
    ${found && found.seasons.length === 0 && html`<${Nothing} served=${found.served} />`}
    <ul class="seasons">
      ${found?.seasons.map((season) => html`<${Season} key=${season.name} season=${season} />`)}
    </ul>
  <//>`;
}

function Nothing({ served }) {
  return html`<div class="notice prose">
    <p>${served ? "No season has been begun in the folder that is shown here." : "This server shows no seasons."}</p>
    <p>
      ${served
        ? html`Begin one with <code>cardwright league new autumn</code> and <code>cardwright league run autumn</code>.`
        : html`Start it with <code>cardwright serve --seasons FOLDER</code>, where each folder in it is a season.`}
    </p>
  </div>`;
}

function Season({ season }) {
  if (season.problem) {
    return html`<li class="panel">
      <h2><a href=${`/seasons/${season.name}/`}>${season.title}</a></h2>
      <p class="bad">Its records cannot be read.</p>
    </li>`;
  }
  const { name, title, games, played, complete, bots, leaders, begun, ended } = season;
  const count = new Intl.NumberFormat("en");
  return html`<li class="panel">
    <h2><a href=${`/seasons/${name}/`}><bdi>${title}</bdi></a></h2>
    <p>
      ${complete ? html`<span class="tag">over</span>` : html`<span class="tag live">being played</span>`}${" "}
      <span class="soft">
        ${count.format(played)} of ${count.format(games)} games, ${count.format(bots.length)} bots${begun &&
        `, since ${begun}`}${complete && ended && ended !== begun ? ` until ${ended}` : ""}
      </span>
    </p>
    ${!complete && html`<progress max=${games} value=${played} aria-label=${`Games played in ${title}`}></progress>`}
    ${leaders.length > 0 &&
    html`<ol>
      ${leaders.map((one) => html`<li key=${one.name}><bdi>${one.name}</bdi> <span class="small soft">mean place ${one.place.toFixed(2)}</span></li>`)}
    </ol>`}
  </li>`;
}

/** The page of the seasons. */
export const page = () => html`<${Seasons} />`;
