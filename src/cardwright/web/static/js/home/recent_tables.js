// The tables that this browser has links to, with where each stands.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";
import { forget, recent } from "../recent.js";

const SHOWN = 6;

export function RecentTables() {
  const [tables, setTables] = useState(recent);
  const [states, setStates] = useState({});
  useEffect(() => {
    for (const { link } of tables.slice(0, SHOWN)) {
      stateOf(link).then((state) => setStates((before) => ({ ...before, [link]: state })));
    }
  }, []);
  if (tables.length === 0) return null;
  const remove = (link) => {
    forget(link);
    setTables(recent());
  };
  return html`<section aria-labelledby="recent">
    <h2 id="recent">Go on</h2>
    <ul class="tables">
      ${tables.slice(0, SHOWN).map(
        ({ link, title, watching, at }) =>
          html`<li key=${link} class="panel row spread">
            <span>
              <a href=${link}>${title}</a>${" "}
              <span class="small soft">${watching ? "watched" : "your seat"}, ${since(at)}</span>${" "}
              <span class=${`tag ${states[link]?.due ? "due" : ""}`}>${states[link]?.words ?? "…"}</span>
            </span>
            <button class="quiet small" onClick=${() => remove(link)} aria-label=${`Forget: ${title}`}>
              Forget
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** @returns {Promise<{words: string, due: boolean}>} */
async function stateOf(link) {
  try {
    const { scene } = await ask(`/api${link}`);
    if (scene.over) return { words: "over", due: false };
    if (scene.decision) return { words: "your turn", due: true };
    return { words: "in play", due: false };
  } catch (problem) {
    return { words: problem.status === 404 ? "no longer there" : "not to be reached", due: false };
  }
}

/** @param {number} at milliseconds */
function since(at) {
  const minutes = Math.round((Date.now() - at) / 60000);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (minutes < 1) return "just now";
  if (minutes < 60) return words.format(-minutes, "minute");
  if (minutes < 60 * 24) return words.format(-Math.round(minutes / 60), "hour");
  return words.format(-Math.round(minutes / 60 / 24), "day");
}
