// Tables that anybody may watch: those whose makers have listed them.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";

export function OpenTables() {
  const [tables, setTables] = useState([]);
  useEffect(() => {
    ask("/api/tables").then(
      (found) => setTables(found.tables),
      () => setTables([]),
    );
  }, []);
  if (tables.length === 0) return null;
  return html`<section aria-labelledby="open">
    <h2 id="open">Watch</h2>
    <ul class="tables">
      ${tables.map(
        ({ link, title, players }) =>
          html`<li key=${link} class="panel">
            <a href=${link}>${title}</a> <span class="small soft">${players.join(", ")}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}
