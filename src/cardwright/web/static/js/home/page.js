// The home page: what was played lately, and all games by family.

import { ask } from "../api.js";
import { Card } from "../cards/card.js";
import { html, useEffect, useMemo, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { InviteDialog } from "../invite/dialog.js";
import { playNow } from "../new_table.js";
import { alone, go, place } from "../place.js";
import { OpenTables } from "./open_tables.js";
import { RecentTables } from "./recent_tables.js";
import { SearchReports } from "./search_reports.js";
import { NUMBERS, found, inWords } from "./search.js";

const FAN = [
  ["10", "TEN", "diamonds"],
  ["J", "J", "clubs"],
  ["Q", "Q", "hearts"],
  ["K", "K", "spades"],
  ["A", "A", "hearts"],
].map(([rank, attribute, suit], id) => ({
  id,
  name: "",
  short: rank,
  rank,
  suit,
  attributes: { RANK: attribute, SUIT: suit.toUpperCase() },
}));

function Home() {
  const [all, setAll] = useState(null);
  const [error, setError] = useState("");
  const [text, setText] = useState(place().searchParams.get("search") ?? "");
  const [players, setPlayers] = useState(0);
  useEffect(() => {
    ask("/api/games").then(setAll, (problem) => setError(problem.message));
  }, []);
  const families = useMemo(() => (all ? found(all, text, players) : []), [all, text, players]);
  const byName = (name) => all.games.find((game) => game.name === name);
  const count = families.reduce((sum, { games }) => sum + games.length, 0);
  const first = (event) => {
    event.preventDefault();
    if (count > 0 && text.trim() !== "") go(`/games/${families[0].games[0].name}`);
  };
  return html`<${Frame} current="/">
    <div class="hero">
      <div>
        <h1>Sit down and play cards</h1>
        <p class="soft">
          ${all ? `${all.games.length} games` : "Games"} with their rules in words, against computer players that see
          no more than their seats do${alone ? ". All of it runs in this page, without a server; to play with friends, one of you serves tables with Cardwright." : ", or with friends by a link."}
        </p>
        <form class="search" role="search" onSubmit=${first}>
          <div class="field">
            <label for="search">Find a game</label>
            <input
              id="search"
              type="search"
              name="search"
              autocomplete="off"
              placeholder="name, trump, bluffing, Germany …"
              value=${text}
              onInput=${(event) => setText(event.currentTarget.value)}
            />
          </div>
          <div class="field">
            <label for="players">Players</label>
            <select id="players" value=${players} onChange=${(event) => setPlayers(Number(event.currentTarget.value))}>
              <option value="0">any number</option>
              ${NUMBERS.map((one) => html`<option key=${one} value=${one}>${one === 6 ? "6 or more" : one}</option>`)}
            </select>
          </div>
        </form>
        <p><a href="/record">Your record</a> <span class="soft">of the games that you have finished here</span></p>
      </div>
      <div class="fan" aria-hidden="true">
        ${FAN.map((face) => html`<${Card} key=${face.id} face=${face} silent />`)}
      </div>
    </div>
    <p class="unseen" role="status">${all && (text || players) ? told(count) : ""}</p>
    ${error && html`<p class="notice error" role="alert">${error}</p>`}
    ${!text && !players && html`<${RecentTables} /><${OpenTables} /><${SearchReports} /><${Suggested} games=${all?.suggested.map(byName) ?? []} />`}
    ${all && count === 0 && html`<p class="notice">${told(0)} Try fewer words, or any number of players.</p>`}
    ${families.map((one) => html`<${Family} key=${one.family.name} ...${one} />`)}
  <//>`;
}

function told(count) {
  return count === 0 ? "No game fits." : count === 1 ? "One game fits." : `${count} games fit.`;
}

function Suggested({ games }) {
  return html`<section class="family" hidden=${games.length === 0}>
    <h2>To begin with</h2>
    <p class="soft">Known to many, and soon learned.</p>
    <ul class="tiles">
      ${games.map((game) => html`<${Tile} key=${game.name} game=${game} />`)}
    </ul>
  </section>`;
}

function Family({ family, games }) {
  return html`<section class="family">
    <h2>${family.name}</h2>
    <p class="soft">${family.about}</p>
    <ul class="tiles">
      ${games.map((game) => html`<${Tile} key=${game.name} game=${game} />`)}
    </ul>
  </section>`;
}

function Tile({ game }) {
  const [state, setState] = useState("");
  const [inviting, setInviting] = useState(false);
  const play = async () => {
    if (state === "Dealing …") return;
    setState("Dealing …");
    try {
      await playNow(game.name);
    } catch (problem) {
      setState(problem.message);
    }
  };
  return html`<li class="panel tile">
    <h3><a href=${`/games/${game.name}`}>${game.title}</a></h3>
    <p class="small soft">${inWords(game.players)}${game.origin && ` · ${game.origin}`}</p>
    <p class="small summary">${game.summary}</p>
    <p class="row">
      <button class="small" onClick=${play} aria-label=${`Play now: ${game.title}`}>Play now</button>
      ${
        !alone &&
        Math.max(...game.players) > 1 &&
        html`<button class="small quiet" onClick=${() => setInviting(true)} aria-label=${`With friends: ${game.title}`}>With friends</button>`
      }
    </p>
    <p class="small" role="status">${state}</p>
    ${inviting && html`<${InviteDialog} game=${game.name} title=${game.title} close=${() => setInviting(false)} />`}
  </li>`;
}

/** The first page. */
export const page = () => html`<${Home} />`;
