// Friends at a table: links to seats and for spectators, seats that were left, and computer players for them.

import { CopyButton, html, useState } from "../dom.js";
import { Invitation } from "../invite/invitation.js";
import { useReach } from "../invite/reach.js";
import { listed, nameless } from "../words.js";

/**
 * Says at the table that friends are still to come, where this browser has links to give them.
 * @param {{scene: any, feed: import("./feed.js").Feed, links: import("../new_table.js").Links | null,
 *   open: () => void, say: (error: Error) => void}} props
 */
export function FriendsBar({ scene, feed, links, open, say }) {
  const awaited = scene.over
    ? []
    : scene.seats.filter((seat) => seat.kind !== "computer" && !seat.here && seat.seat !== scene.seat);
  if (awaited.length === 0 || scene.seat === null) return null;
  const free = awaited.filter(({ kind }) => kind === "empty");
  const nobodys = free.filter(nameless).length;
  const asked = free.filter((seat) => !nameless(seat)).map((seat) => seat.name);
  const names = awaited.filter(({ kind }) => kind !== "empty").map((seat) => seat.name).join(", ");
  const fill = async () => {
    try {
      for (const { seat } of free) await feed.act("sit", { seat, player: "usual" });
    } catch (error) {
      say(error);
    }
  };
  return html`<div class="notice friends-bar">
    <p>
      ${nobodys > 0 && `${nobodys === 1 ? "A seat is" : `${nobodys} seats are`} free. `}
      ${asked.length > 0 && `${listed(asked)} ${asked.length === 1 ? "has" : "have"} not come yet. `}
      ${names && (links?.seats.length > 1 ? `Not here yet: ${names}. Send everybody the link of a seat.` : `Not here: ${names}.`)}
    </p>
    <span class="row">
      <button class="small" onClick=${open}>${links?.invite && free.length > 0 ? "Invite" : links ? "Links" : "Seats"}</button>
      ${free.length > 0 && html`<button class="small" onClick=${fill}>Let computers play there</button>`}
    </span>
  </div>`;
}

/**
 * Who sits where, and what can be done about it.
 * @param {{scene: any, feed: import("./feed.js").Feed, links: import("../new_table.js").Links | null}} props
 */
export function Friends({ scene, feed, links }) {
  const [error, setError] = useState("");
  const seatComputer = async (seat) => {
    setError("");
    try {
      await feed.act("sit", { seat, player: "usual" });
    } catch (failed) {
      setError(failed.message);
    }
  };
  const open = async (yes) => {
    setError("");
    try {
      await feed.act("open", { yes });
    } catch (failed) {
      setError(failed.message);
    }
  };
  return html`
    ${error && html`<p class="notice error" role="alert">${error}</p>`}
    ${links?.invite && !scene.over && html`<${Invitation} link=${links.invite} />`}
    <ul class="friends">
      ${scene.seats.map((seat) => {
        const link = links?.seats.find((one) => one.seat === seat.seat)?.link;
        const left =
          scene.seat !== null && seat.kind !== "computer" && seat.seat !== scene.seat && !seat.here;
        return html`<li key=${seat.seat}>
          <span><strong>${seat.name}</strong> <span class="soft">${described(seat, scene)}</span></span>
          <span class="row">
            ${link && seat.seat !== scene.seat && html`<${CopyLink} link=${link} label=${`the link for ${seat.name}`} />`}
            ${
              left &&
              html`<button class="small" onClick=${() => seatComputer(seat.seat)}>
              Let a computer play here<span class="unseen">${`, instead of ${seat.name}`}</span>
            </button>`
            }
          </span>
        </li>`;
      })}
    </ul>
    ${
      links?.watch &&
      html`<p class="row spread"><span>For spectators</span><${CopyLink} link=${links.watch} label="the link for spectators" /></p>`
    }
    ${
      scene.watch === "open" &&
      scene.seat !== null &&
      html`<p class="row spread">
        <span>${spectators(scene)}</span>
        ${
          scene.awaited.includes(scene.seat)
            ? html`<button class="small" onClick=${() => open(true)}>Let them see all hands</button>`
            : html`<button class="small" onClick=${() => open(false)}>Hide hands from them</button>`
        }
      </p>`
    }
    ${links && html`<p class="soft small">Who opens the link of a seat, plays there. Links are secrets: give each friend one.</p>`}
  `;
}

/** Says which hands spectators see, where all people at the table decide that. */
function spectators({ awaited, seats, seat }) {
  if (awaited.length === 0) return "Spectators see all hands.";
  const names = listed(awaited.map((one) => (one === seat ? "you" : seats[one].name)));
  const agree = awaited.length === 1 && awaited[0] !== seat ? "agrees" : "agree";
  return `Spectators see all hands when ${names} ${agree}.`;
}

function CopyLink({ link, label }) {
  const whole = useReach()?.whole(link) ?? "";
  return html`<span class="copy-link"><code>${whole}</code><${CopyButton} text=${whole} label=${label} /></span>`;
}

function described(seat, scene) {
  if (seat.kind === "computer") return `computer player${seat.player ? `, ${seat.player}` : ""}`;
  if (seat.kind === "empty") return nameless(seat) ? "free" : "has not come yet";
  if (seat.seat === scene.seat) return seat.name === "You" ? "" : "you";
  return seat.here ? "here" : "not here";
}
