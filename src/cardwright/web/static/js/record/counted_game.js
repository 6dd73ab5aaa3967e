// At the end of a game: it is counted in the record of this browser, and what it adds up to is said.

import { html, useEffect, useState } from "../dom.js";
import { read } from "../settings.js";
import { counted } from "../words.js";
import { COUNTING, recordKey } from "./key.js";

/**
 * @param {{feed: import("../table/feed.js").Feed, title: string}} props
 */
export function CountedGame({ feed, title }) {
  const [words, setWords] = useState("");
  useEffect(() => {
    const framed = document.documentElement.dataset.framed !== undefined;
    if (framed || !read(COUNTING, true)) return;
    feed.act("record", { key: recordKey() }).then(
      ({ kept, why, standing }) => setWords(kept ? told(title, standing) : `${why[0].toUpperCase()}${why.slice(1)}.`),
      (error) => setWords(error.message),
    );
  }, []);
  return html`<p class="small soft" role="status">
    ${words && html`${words} <a href="/record">Your record</a>`}
  </p>`;
}

function told(title, { games, won, streak }) {
  if (games === 0) return "This game is in your record.";
  const row = streak > 1 ? `, the last ${streak} in a row` : "";
  return `You have played ${counted(games, "game")} of ${title} and won ${won}${row}.`;
}
