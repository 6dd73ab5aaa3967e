// The end of a deal: what it brought, where everybody stands, and a button to go on. The last trick still lies there.

import { html, useEffect, useRef, useState } from "../dom.js";

/**
 * @param {{scene: any, feed: import("./feed.js").Feed, say: (error: Error) => void}} props
 */
export function DealEnd({ scene, feed, say }) {
  const { deal_end: end, seats } = scene;
  const mine = end.waiting_for.includes(scene.seat);
  const panel = useRef(null);
  const button = useRef(null);
  const [sent, setSent] = useState(false);
  useEffect(() => {
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
  return html`<section class="deal-end panel" aria-labelledby="deal-end" ref=${panel}>
    <div class="head">
      <h2 id="deal-end">Deal ${end.number} is over</h2>
      ${
        mine &&
        html`<button
          class="primary"
          ref=${button}
          aria-disabled=${sent || undefined}
          aria-describedby="deal-end-told"
          onClick=${next}
          onKeyDown=${(event) => event.repeat && event.preventDefault()}
        >
          Next deal
        </button>`
      }
    </div>
    <${Moon} end=${end} scene=${scene} />
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
 * Who has shot the moon, if anybody.
 * @param {{end: any, scene: any}} props
 */
export function Moon({ end, scene }) {
  const words = moon(end, scene);
  return words && html`<p class="moon"><span aria-hidden="true">☾</span> ${words}</p>`;
}

function moon({ moon: seat }, scene) {
  if (seat === null) return "";
  return seat === scene.seat ? "You have shot the moon!" : `${scene.seats[seat].name} has shot the moon!`;
}

function signed(points) {
  return points > 0 ? `+${points}` : String(points);
}

/** All of it in a sentence, for those who listen. */
function told(end, scene) {
  const rows = scene.seats.map(({ seat, name }) => `${name} ${end.points[seat]}, ${end.totals[seat]} in all`);
  return `Deal ${end.number} is over. ${moon(end, scene)} ${rows.join("; ")}.`;
}

/** Who has still to go on, where several people play. */
function waiting({ waiting_for: awaited, seconds }, { seat, seats }) {
  const others = awaited.filter((one) => one !== seat).map((one) => seats[one].name);
  const parts = [];
  if (others.length > 0 && !awaited.includes(seat)) parts.push(`Waiting for ${others.join(" and ")}.`);
  if (seconds !== null && seconds >= 1) parts.push(`The next deal begins after ${Math.round(seconds)} seconds at the latest.`);
  return parts.join(" ");
}
