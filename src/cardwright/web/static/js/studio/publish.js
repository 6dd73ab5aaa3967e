// Publishing what is written: a page in one file, which plays the rules without a server.

import { ask, blankPage } from "../api.js";
import { download } from "../download.js";

/**
 * Give a page as a download.
 * @param {string} name of the rules
 * @param {string} text
 * @returns {Promise<string>} what it is called
 */
export async function publish(name, text) {
  const [blank, { games }] = await Promise.all([blankPage(), ask("/api/studio/starts")]);
  const plain = name.replace(/[^\p{L}\p{N} _-]/gu, "_").trim() || "rules";
  const own = games.some((game) => game.name === plain) ? `my ${plain}` : plain;
  download(`${own}.html`, "text/html", withRules(blank, own, text));
  return `${own}.html`;
}

/** @returns {string} a page whose first game has these rules; `name` has letters, digits and spaces */
function withRules(blank, name, text) {
  return blank
    .replace(/ data-home="[^"]*"/, ` data-home="/games/${encodeURIComponent(name)}"`)
    .replace(/<title>[^<]*/, () => `<title>${name}`)
    .replace(/(id="python">)([^<]*)/, (_, start, before) => {
      const begin = { ...JSON.parse(before), games: { [`${name}.rcy`]: text }, opponents: {} };
      return start + JSON.stringify(begin).replaceAll("<", "\\u003c");
    });
}
