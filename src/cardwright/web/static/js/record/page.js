// The record: the games that this browser has played, what they add up to, and what can be done with them.

import { ask } from "../api.js";
import { number } from "../charts.js";
import { download } from "../download.js";
import { CopyButton, Dialog, html, useEffect, useSetting, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { alone } from "../place.js";
import { counted } from "../words.js";
import { asCsv } from "./csv.js";
import { COUNTING, recordKey, takeKey } from "./key.js";
import { Kind } from "./kind.js";
import { BRACKETS, points, wins } from "./shares.js";

const SHOWN = 20;
const FILE = "cardwright-record";

function Record() {
  const [record, setRecord] = useState(null);
  const [error, setError] = useState("");
  const [name, setName] = useState(null);
  const load = (wanted = name) =>
    ask("/api/record", { body: { key: recordKey(), ...(wanted === null ? {} : { name: wanted }) } }).then(
      (found) => {
        setRecord(found);
        setName(wanted);
        setError("");
      },
      (problem) => setError(problem.message),
    );
  useEffect(() => void load(), []);
  const remove = async (games) => {
    try {
      await ask("/api/record/remove", { body: { key: recordKey(), ...(games ? { games } : {}) } });
      await load(games ? name : null);
    } catch (problem) {
      setError(problem.message);
    }
  };
  return html`<${Frame} current="/">
    <h1>Your record</h1>
    <p class="prose soft">
      ${
        alone
          ? "The games that you have finished in this page. Your browser keeps them."
          : "The games that you have finished in this browser. The server keeps them under a secret that only your browser knows: there are no accounts."
      }
    </p>
    ${error && html`<p class="notice error" role="alert">${error}</p>`}
    ${!record && !error && html`<p role="status">One moment …</p>`}
    ${record && record.games.length === 0 && html`<p class="notice">No game has been counted yet. Games count when they are over, but not those in practice. <a href="/">All games</a></p>`}
    ${record && record.games.length > 0 && html`<${Whole} record=${record} name=${name} load=${load} remove=${remove} />`}
    ${record && html`<${Keeping} record=${record} load=${load} remove=${() => remove(null)} />`}
  <//>`;
}

function Whole({ record, name, load, remove }) {
  const { names, standing, kinds, games } = record;
  const [at, setAt] = useState("");
  const kind = kinds.find((one) => idOf(one) === at) ?? kinds[0];
  const shown = games.filter((one) => at === "" || idOf(one) === at);
  return html`
    <dl class="figures">
      <${Fact} name="Games" words=${number(games.length)} />
      ${standing.games > 0 && html`<${Fact} name="Won" words=${`${number(standing.won)}: ${wins(standing)}`} />`}
      <${Fact} name="Wins in a row" words=${`${standing.streak} now, ${standing.longest} at most`} />
    </dl>
    <div class="row choice">
      ${
        names.length > 1 &&
        html`<div class="field">
          <label for="name">Played as</label>
          <select id="name" value=${name ?? "all"} onChange=${(event) => load(event.currentTarget.selectedIndex === 0 ? null : names[event.currentTarget.selectedIndex - 1])}>
            <option value="all">anybody</option>
            ${names.map((one) => html`<option key=${one} value=${one}>${one || "without a name"}</option>`)}
          </select>
        </div>`
      }
      ${
        kinds.length > 1 &&
        html`<div class="field">
          <label for="kind">Game</label>
          <select id="kind" value=${at} onChange=${(event) => setAt(event.currentTarget.value)}>
            <option value="">all games</option>
            ${kinds.map((one) => html`<option key=${idOf(one)} value=${idOf(one)}>${titled(one)}: ${counted(one.games, "game")}</option>`)}
          </select>
        </div>`
      }
    </div>
    ${at === "" && kinds.length > 1 ? html`<${Kinds} kinds=${kinds} choose=${setAt} />` : html`<${Kind} key=${idOf(kind)} kind=${kind} title=${titled(kind)} />`}
    <${Games} games=${[...shown].reverse()} remove=${remove} />
  `;
}

function Fact({ name, words }) {
  return html`<div><dt>${name}</dt><dd>${words}</dd></div>`;
}

/** Games are of a kind by the game and its options. */
function idOf({ game, variant }) {
  return `${game} ${variant}`;
}

function titled({ title, variant }) {
  return variant ? `${title}, ${variant.replaceAll("_", " ")}` : title;
}

/** The games of which there are any, with what each has brought. */
function Kinds({ kinds, choose }) {
  return html`<section>
    <h2 id="kinds">By game</h2>
    <div class="scrolled" tabindex="0" role="region" aria-labelledby="kinds">
      <table>
        <thead>
          <tr>
            <th scope="col">Game</th>
            <th scope="col" class="number">Games</th>
            <th scope="col" class="number">Won</th>
            <th scope="col" class="number">In a row</th>
            <th scope="col" class="number">Points a game</th>
          </tr>
        </thead>
        <tbody>
          ${kinds.map(
            (kind) =>
              html`<tr key=${idOf(kind)}>
                <th scope="row"><button class="link" onClick=${() => choose(idOf(kind))}>${titled(kind)}</button></th>
                <td class="number">${number(kind.games)}</td>
                <td class="number">${wins(kind.standing)}</td>
                <td class="number">${kind.standing.streak}</td>
                <td class="number">${points(kind)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="soft small">${BRACKETS}</p>
  </section>`;
}

function Games({ games, remove }) {
  const [most, setMost] = useState(SHOWN);
  const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
  const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
  return html`<section>
    <h2 id="games">Games</h2>
    <div class="scrolled" tabindex="0" role="region" aria-labelledby="games">
      <table>
        <thead>
          <tr>
            <th scope="col">Over</th>
            <th scope="col">Game</th>
            <th scope="col">Place</th>
            <th scope="col" class="number">Points</th>
            <th scope="col">Against</th>
            <th scope="col"><span class="unseen">Remove</span></th>
          </tr>
        </thead>
        <tbody>
          ${games.slice(0, most).map(
            (one) =>
              html`<tr key=${one.id}>
                <td class="day">${day.format(new Date(one.ended))}</td>
                <th scope="row">${titled(one)}${feats(one)}</th>
                <td>${one.place} of ${one.seats}${one.won ? html`, <span class="good">won</span>` : ""}</td>
                <td class="number">${number(one.score)}</td>
                <td>${one.opponents.length > 0 && html`<bdi>${one.opponents.map(({ name }) => name).join(", ")}</bdi> <span class="soft small">${one.against}</span>`}</td>
                <td><button class="quiet small" onClick=${() => remove([one.id])} aria-label=${`Remove ${titled(one)}, ${moment.format(new Date(one.ended))}`}>Remove</button></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${games.length > most && html`<p><button onClick=${() => setMost(most + 5 * SHOWN)}>Show more of ${number(games.length)}</button></p>`}
  </section>`;
}

function feats({ feats: done }) {
  const some = Object.entries(done).filter(([, count]) => count > 0);
  return some.length > 0 && html` <span class="soft small">${some.map(([name, count]) => `${name}: ${count}`).join(", ")}</span>`;
}

/** What is kept, where it can be had, and how it is removed. */
function Keeping({ record, load, remove }) {
  const [counting, setCounting] = useSetting(COUNTING, true);
  const [asked, setAsked] = useState(false);
  const some = record.games.length > 0;
  return html`<section aria-labelledby="keeping">
    <h2 id="keeping">What is kept</h2>
    <p>
      <label><input type="checkbox" checked=${counting} onChange=${(event) => setCounting(event.currentTarget.checked)} />Count games that I finish in this browser</label>
    </p>
    ${
      some &&
      html`<p class="row">
        <button onClick=${() => download(`${FILE}.json`, "application/json", JSON.stringify(record, null, 1))}>Save as JSON</button>
        <button onClick=${() => download(`${FILE}.csv`, "text/csv", asCsv(record.games))}>Save as CSV</button>
        <button onClick=${() => setAsked(true)}>Delete all</button>
      </p>`
    }
    ${!alone && html`<${OtherBrowser} load=${load} />`}
    ${
      asked &&
      html`<${Dialog} title="Delete your record?" close=${() => setAsked(false)}>
        <p>All games in it, under all names, are removed for good. Tables and replays stay.</p>
        <p class="row">
          <button class="primary" onClick=${() => { setAsked(false); remove(); }}>Delete it</button>
          <button onClick=${() => setAsked(false)}>Keep it</button>
        </p>
      <//>`
    }
  </section>`;
}

/** The key, with which another browser has the same record. */
function OtherBrowser({ load }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const take = async (event) => {
    event.preventDefault();
    if (!takeKey(text)) {
      setSaid("That is no key: it has 22 letters, digits, - and _.");
      return;
    }
    setText("");
    await load(null);
    setSaid("This browser has that record now.");
  };
  const key = recordKey();
  return html`<details class="more">
    <summary>The same record in another browser</summary>
    <p class="soft">Whoever has this key has your record. Enter it in your other browser, on this page.</p>
    <p class="row"><code class="key">${key}</code><${CopyButton} text=${key} label="the key of your record" /></p>
    <form class="field" onSubmit=${take}>
      <label for="key">The key of another browser, to have its record here instead</label>
      <div class="row nowrap">
        <input id="key" maxlength="40" autocomplete="off" spellcheck=${false} value=${text} onInput=${(event) => setText(event.currentTarget.value)} /><button>Use it</button>
      </div>
      <span class="help" role="status">${said}</span>
    </form>
  </details>`;
}

/** The page of the record. */
export const page = () => html`<${Record} />`;
