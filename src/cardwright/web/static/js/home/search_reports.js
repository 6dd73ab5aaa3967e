// Reports on searches for games that this server shows.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";

export function SearchReports() {
  const [searches, setSearches] = useState([]);
  useEffect(() => {
    ask("/api/searches").then(
      (found) => setSearches(found.searches),
      () => setSearches([]),
    );
  }, []);
  if (searches.length === 0) return null;
  return html`<section aria-labelledby="searches">
    <h2 id="searches">Found by design search</h2>
    <ul class="tables">
      ${searches.map(
        ({ link, name, games }) =>
          html`<li key=${link} class="panel">
            <a href=${link}>${name}</a> <span class="small soft">${games === 1 ? "one game" : `${games} games`}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}
