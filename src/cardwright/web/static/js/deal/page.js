// A deal that somebody has sent in a link: what it is, and the table that deals the same cards.

import { ask } from "../api.js";
import { html, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { makeTable } from "../new_table.js";
import { go, place } from "../place.js";
import { sharedLink } from "../studio/share.js";
import { sharedDeal } from "./link.js";

/** @param {{deal: import("./link.js").Deal}} props */
function Deal({ deal }) {
  const [state, setState] = useState("");
  const trying = (work) => async () => {
    setState("One moment …");
    try {
      await work();
    } catch (error) {
      setState(error.message);
    }
  };
  const play = trying(async () => go((await makeTable(await wanted(deal))).seats[0].link));
  const study = trying(async () => {
    const { hash } = new URL(await sharedLink(deal.game, deal.source));
    go(hash.startsWith("#/") ? hash.slice(1) : `/studio${hash}`);
  });
  const others = deal.seats.filter(({ kind }) => kind === "computer").map(({ player }) => player);
  const seat = deal.seats.findIndex(({ kind }) => kind === "person") + 1;
  return html`<div class="prose">
    <h1>${deal.title}</h1>
    <p>
      Somebody has sent you a deal: the same cards, for you to play at seat ${seat}${others.length > 0 && ` against ${others.join(", ")}`}.
    </p>
    ${deal.source !== null && html`<p>Its rules are in the link, too; they are played as they are there.</p>`}
    <p class="row">
      <button class="primary" onClick=${play}>Play this deal</button>
      ${deal.source !== null && html`<button onClick=${study}>Look at the rules</button>`}
      <span role="status">${state}</span>
    </p>
  </div>`;
}

/** What is asked for: the game of this site where it has the same rules, else the rules of the link. */
async function wanted({ source, ...deal }) {
  const table = { ...deal, pace: 1, practice: false, watch: "no" };
  if (source === null || (await rulesHere(deal.game)) === source) return table;
  const { game, preset, ...others } = table;
  return { ...others, source };
}

/** @returns {Promise<string | null>} the text of a game of this site */
async function rulesHere(game) {
  try {
    const { pieces } = await ask(`/api/games/${encodeURIComponent(game)}/rules`);
    return pieces.map(([text]) => text).join("");
  } catch {
    return null;
  }
}

/** The deal in the address. */
export async function page() {
  let content;
  try {
    content = html`<${Deal} deal=${await sharedDeal(place().hash)} />`;
  } catch (error) {
    content = html`<h1>No deal</h1><p class="notice error" role="alert">${error.message}</p>`;
  }
  return html`<${Frame}>${content}</${Frame}>`;
}
