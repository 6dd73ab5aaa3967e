// Inviting friends to a game: a name, how many come, and a link for all of them.

import { Dialog, html, useEffect, useState } from "../dom.js";
import { makeTable, usualTable } from "../new_table.js";
import { counted } from "../words.js";
import { Invitation } from "./invitation.js";
import { LONGEST_NAME, keepName, playerName } from "./name.js";

/** @param {{game: string, title: string, close: () => void}} props */
export function InviteDialog({ game, title, close }) {
  const [usual, setUsual] = useState(null);
  const [name, setName] = useState(playerName);
  const [friends, setFriends] = useState(0);
  const [links, setLinks] = useState(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    usualTable(game).then(
      (found) => {
        setUsual(found);
        setFriends(found.seats.length - 1);
      },
      (error) => setSaid(error.message),
    );
  }, []);
  const make = async (event) => {
    event.preventDefault();
    setSaid("");
    try {
      const seats = usual.seats.map((seat, at) => {
        if (at === 0) return { kind: "person", name: name.trim() || null };
        return at <= friends ? { kind: "empty" } : seat;
      });
      setLinks(await makeTable({ ...usual, seats }));
      keepName(name.trim());
    } catch (error) {
      setSaid(error.message);
    }
  };
  const others = usual === null ? 0 : usual.seats.length - 1;
  return html`<${Dialog} title=${`${title} with friends`} close=${close}>
    ${
      links
        ? html`<${Invitation} link=${links.invite} />
          <p><a class="button primary" href=${links.seats[0].link}>Take your seat</a></p>`
        : html`<form onSubmit=${make}>
          <div class="field">
            <label for="own-name">Your name</label>
            <input id="own-name" maxlength=${LONGEST_NAME} autocomplete="nickname" value=${name} onInput=${(event) => setName(event.currentTarget.value)} />
          </div>
          ${
            others > 1 &&
            html`<div class="field">
              <label for="friends">Friends</label>
              <select id="friends" value=${friends} onChange=${(event) => setFriends(Number(event.currentTarget.value))}>
                ${Array.from({ length: others }, (_, at) => html`<option key=${at} value=${at + 1}>${seated(at + 1, others)}</option>`)}
              </select>
            </div>`
          }
          <p class="soft small">Computer players can stand in for friends who have not come yet, or have left.</p>
          <p class="row">
            <button class="primary" disabled=${usual === null}>Make the link</button>
            <a class="button quiet" href=${`/games/${game}#friends`}>Other rules and settings</a>
            <span role="status">${said}</span>
          </p>
        </form>`
    }
  <//>`;
}

function seated(friends, others) {
  const rest = others - friends;
  return `${counted(friends, "friend")}${rest > 0 ? ` and ${counted(rest, "computer player")}` : ""}`;
}
