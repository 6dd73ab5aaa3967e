// The end of a deal: what it brought, where everybody stands, and a button to go on. The last trick still lies there.

import { html, useEffect, useLayoutEffect, useRef, useSetting, useState } from "../dom.js";
import { listed } from "../words.js";

/** @type {[number, string][]} after how many seconds the next deal can begin by itself */
export const PAUSES = [
  [0, "when you press the button"],
  [5, "after 5 seconds"],
  [10, "after 10 seconds"],
  [20, "after 20 seconds"],
];

/**
 * @param {{scene: any, feed: import("./feed.js").Feed, say: (error: Error) => void}} props
 */
export function DealEnd({ scene, feed, say }) {
  const { deal_end: end, seats } = scene;
  const mine = end.waiting_for.includes(scene.seat);
  const panel = useRef(null);
  const button = useRef(null);
  const [sent, setSent] = useState(false);
  useLayoutEffect(() => {
    if (document.querySelector("dialog[open]")) return;
    panel.current.scrollIntoView({ block: "nearest" });
    button.current?.focus({ preventScroll: true });
  }, []);
  const next = async () => {
    if (sent) return;
    setSent(true);
    try {
      await feed.act("go-on", { deal: end.number });
    } catch (error) {
      setSent(false);
      if (error.code !== "stale") say(error);
    }
  };
  const left = useCountdown(mine && !sent, next);
  return html`<section class="deal-end panel" aria-labelledby="deal-end" ref=${panel}>
    <div class="head">
      <h2 id="deal-end" tabindex="-1">Deal ${end.number} is over</h2>
      ${
        mine &&
        html`<button
          class="primary"
          ref=${button}
          aria-disabled=${sent || undefined}
          aria-describedby="deal-end-told"
          onClick=${next}
        >
          Next deal${left !== null && html`<span aria-hidden="true"> ${`(${left})`}</span>`}
        </button>`
      }
    </div>
    <${Results} end=${end} />
    <ul class="gains">
      ${seats.map(
        ({ seat, name }) =>
          html`<li key=${seat} class=${seat === scene.seat ? "own" : ""}>
            <span class="name">${name}</span>
            <span class="number">${signed(end.points[seat])}</span>
            <span class="soft small">${`${end.totals[seat]} in all`}</span>
          </li>`,
      )}
    </ul>
    <p class="unseen" id="deal-end-told">${told(end, scene)}</p>
    <p class="soft small" role="status">${waiting(end, scene)}</p>
  </section>`;
}

/**
 * What the deal has brought besides points: a moon, a contract that failed.
 * @param {{end: any}} props
 */
export function Results({ end }) {
  if (end.results.length === 0) return null;
  return html`<ul class="results">
    ${end.results.map(
      ({ words, sign }) =>
        html`<li key=${words}>${sign && html`<span aria-hidden="true">${sign} </span>`}${words}${sign && "!"}</li>`,
    )}
  </ul>`;
}

/**
 * Go on by itself, as the person has set it, while the page is looked at and no window is open.
 * @param {boolean} waiting
 * @param {() => void} next
 * @returns {number | null} the seconds that are left; null if it does not
 */
function useCountdown(waiting, next) {
  const [seconds] = useSetting("next-deal", 0);
  const [passed, setPassed] = useState(0);
  const counts = waiting && seconds > 0;
  useEffect(() => {
    if (!counts) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden && !document.querySelector("dialog[open]")) setPassed((before) => before + 1);
    }, 1000);
    return () => clearInterval(timer);
  }, [counts]);
  useEffect(() => {
    if (counts && passed >= seconds) next();
  }, [counts, passed, seconds]);
  return counts ? Math.max(0, seconds - passed) : null;
}

function signed(points) {
  return points > 0 ? `+${points}` : String(points);
}

/** All of it in a sentence, for those who listen. */
function told(end, scene) {
  const rows = scene.seats.map(({ seat, name }) => `${name} ${end.points[seat]}, ${end.totals[seat]} in all`);
  const results = end.results.map(({ words }) => `${words}. `).join("");
  return `Deal ${end.number} is over. ${results}${rows.join("; ")}.`;
}

/** Who has still to go on, where several people play. */
function waiting({ waiting_for: awaited, seconds }, { seat, seats }) {
  const others = awaited.filter((one) => one !== seat).map((one) => seats[one].name);
  const parts = [];
  if (others.length > 0 && !awaited.includes(seat)) parts.push(`Waiting for ${listed(others)}.`);
  if (seconds !== null && seconds >= 1) parts.push(`The next deal begins after ${Math.round(seconds)} seconds at the latest.`);
  return parts.join(" ");
}
