// The one document of a page that needs no server: it shows the page of each address behind the #.

import { connect } from "../api.js";
import { hide } from "../dom.js";
import { PAGES, start } from "../start.js";
import { place, written } from "../place.js";

/**
 * @param {() => import("../api.js").Connection} begun makes a connection
 * @returns {import("../api.js").Connection} the one of this page, which tables in frames of it share
 */
export function shared(begun) {
  globalThis.siteConnection = above() ?? begun();
  return globalThis.siteConnection;
}

function above() {
  try {
    return self === top ? undefined : parent.siteConnection;
  } catch {
    return undefined; // it is in a frame of another site
  }
}

/** @param {import("../api.js").Connection} connection */
export function open(connection) {
  connect(connection);
  new MutationObserver(() => rewrite()).observe(document.body, { subtree: true, childList: true });
  document.addEventListener("click", withinThePage);
  addEventListener("hashchange", (event) => {
    if (new URL(event.oldURL).hash !== new URL(event.newURL).hash) draw();
  });
  draw();
}

/** Draw the page of the address that this document is at; whoever listens is at its beginning. */
async function draw() {
  hide();
  style();
  await start();
  scrollTo(0, 0);
}

/** Let only the styles apply that belong to the page. */
function style() {
  const { styles = [] } = PAGES.find(({ path }) => path.test(place().pathname)) ?? {};
  for (const sheet of document.querySelectorAll("[data-style]")) {
    sheet.media = sheet.dataset.style === "base" || styles.includes(sheet.dataset.style) ? "all" : "not all";
  }
}

/** Have links to addresses of the site lead to where this document shows them. */
function rewrite() {
  for (const link of document.querySelectorAll('a[href^="/"]')) {
    link.setAttribute("href", written(link.getAttribute("href")));
  }
}

/** A link to a part of the page leads there, and is no address. */
function withinThePage(event) {
  const link = event.target.closest?.('a[href^="#"]:not([href^="#/"])');
  if (!link) return;
  event.preventDefault();
  const part = document.getElementById(link.getAttribute("href").slice(1));
  part?.scrollIntoView();
  part?.focus();
}
