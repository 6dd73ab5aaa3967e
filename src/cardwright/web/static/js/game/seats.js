// Who sits where: oneself, friends by a link, computer players of a strength.

import { html } from "../dom.js";
import { opponent } from "../new_table.js";
import { alone } from "../place.js";

/**
 * @typedef {{who: "me" | "friend" | string, name: string}} SeatChoice `who` may be the spec of a computer player
 */

/**
 * The seats to begin with: oneself, and the usual computer players.
 * @param {{seats: {seat: number}[], opponents: string[]}} game
 * @param {SeatChoice[]} before what was chosen so far is kept
 * @returns {SeatChoice[]}
 */
export function chosenSeats(game, before) {
  const own = before.some(({ who }) => who === "me") ? -1 : 0;
  return game.seats.map((_, at) => before[at] ?? { who: at === own ? "me" : opponent(game, at), name: "" });
}

/**
 * @param {{seats: {seat: number, team: number | null}[], chosen: SeatChoice[],
 *   players: {player: string, strength: string, about: string}[], change: (chosen: SeatChoice[]) => void}} props
 */
export function SeatFields({ seats, chosen, players, change }) {
  const set = (at, part) =>
    change(
      chosen.map((one, other) => {
        if (other === at) return { ...one, ...part };
        if (part.who !== "me" || one.who !== "me") return one;
        return { ...one, who: alone ? players[0].player : "friend" };
      }),
    );
  const used = players.filter((one) => chosen.some(({ who }) => who === one.player));
  return html`<fieldset>
    <legend>Who sits where</legend>
    <ol class="seats">
      ${seats.map(
        ({ seat, team }) =>
          html`<li key=${seat}>
            <label class="unseen" for=${`seat-${seat}`}>Seat ${seat + 1}</label>
            <select id=${`seat-${seat}`} value=${chosen[seat].who} onChange=${(event) => set(seat, { who: event.currentTarget.value })}>
              <option value="me">You</option>
              ${!alone && html`<option value="friend">A friend, by a link</option>`}
              <optgroup label="Computer player">
                ${players.map((one) => html`<option key=${one.player} value=${one.player}>${one.strength}</option>`)}
              </optgroup>
            </select>
            <label class="unseen" for=${`name-${seat}`}>Name at seat ${seat + 1}</label>
            <input
              id=${`name-${seat}`}
              maxlength="40"
              placeholder="name"
              value=${chosen[seat].name}
              onInput=${(event) => set(seat, { name: event.currentTarget.value })}
            />
            ${team !== null && html`<span class="tag">team ${team + 1}</span>`}
          </li>`,
      )}
    </ol>
    ${used.map((one) => html`<p key=${one.player} class="small soft"><strong>${one.strength}:</strong> ${one.about}</p>`)}
  </fieldset>`;
}

/**
 * @param {SeatChoice[]} chosen
 * @returns {import("../new_table.js").WantedSeat[]}
 */
export function wantedSeats(chosen) {
  return chosen.map(({ who, name }) => {
    const person = who === "me" || who === "friend";
    return { kind: person ? "person" : "computer", player: person ? null : who, name: name.trim() || null };
  });
}
