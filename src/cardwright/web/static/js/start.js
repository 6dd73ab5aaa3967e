// Shows the page of an address.

import { html, show } from "./dom.js";
import { Frame } from "./frame.js";
import { alone, place } from "./place.js";

/**
 * @typedef {{path: RegExp, load: () => Promise<{page: () => any}>, styles: string[]}} SitePage `styles` are those of
 *   its document besides `base`; `page` gives what `html` does, or a promise of it
 */

/** @type {SitePage[]} */
export const PAGES = [
  { path: /^\/$/, load: () => import("./home/page.js"), styles: ["cards", "home"] },
  { path: /^\/games\/[^/]+$/, load: () => import("./game/page.js"), styles: ["charts", "game"] },
  { path: /^\/t\/[^/]+$/, load: () => import("./table/page.js"), styles: ["cards", "table"] },
  { path: /^\/deal$/, load: () => import("./deal/page.js"), styles: [] },
  { path: /^\/join\/[^/]+$/, load: () => import("./join/page.js"), styles: [] },
  { path: /^\/replay(\/[^/]+)?$/, load: () => import("./replay/page.js"), styles: ["cards", "table", "replay"] },
  { path: /^\/studio$/, load: () => import("./studio/page.js"), styles: ["studio"] },
  { path: /^\/record$/, load: () => import("./record/page.js"), styles: ["charts", "record"] },
  { path: /^\/seasons$/, load: () => import("./seasons/page.js"), styles: ["seasons"] },
  { path: /^\/about$/, load: () => import("./about/page.js"), styles: ["about"] },
  ...(alone ? [{ path: /^\/console$/, load: () => import("./console/page.js"), styles: ["console"] }] : []),
  { path: /^\/api\/$/, load: () => import("./about/interface.js"), styles: ["about"] },
];

/** Show the page of the address that this document is at. */
export async function start() {
  const found = PAGES.find(({ path }) => path.test(place().pathname));
  show(found ? await (await found.load()).page() : html`<${Frame}><${NoPage} /><//>`);
}

function NoPage() {
  return html`<h1>There is no such page</h1>
    <p><a href="/">All games</a></p>`;
}

if (!alone) start();
