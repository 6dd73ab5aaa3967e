// The page of an invitation: whoever opens it says a name, and gets a free seat.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { LONGEST_NAME, keepName, playerName } from "../invite/name.js";
import { go, pathPart } from "../place.js";
import { remember } from "../recent.js";
import { read, write } from "../settings.js";

const JOINED = "joined";
const MOST = 20;

/** @param {{token: string}} props */
function Join({ token }) {
  const [table, setTable] = useState(null);
  const [name, setName] = useState(playerName);
  const [error, setError] = useState("");
  const [waiting, setWaiting] = useState(false);
  const address = `/api/join/${encodeURIComponent(token)}`;
  const own = joinedBy(token);
  const load = () =>
    ask(address).then(
      (found) => {
        document.title = `${found.title} · Cardwright`;
        setTable(found);
      },
      (problem) => setError(problem.message),
    );
  useEffect(() => void load(), []);
  const join = async (event) => {
    event.preventDefault();
    if (waiting) return;
    setWaiting(true);
    try {
      const { link } = await ask(address, { body: { name: name.trim() } });
      keepName(name.trim());
      write(JOINED, [[token, link], ...read(JOINED, [])].slice(0, MOST));
      remember({ link, game: table.game, title: table.title });
      go(link);
    } catch (problem) {
      setError(problem.message);
      setWaiting(false);
      load();
    }
  };
  if (!table) {
    return html`<${Frame}>
      ${error ? html`<p class="notice error" role="alert">${error}</p>` : html`<p role="status">One moment …</p>`}
    <//>`;
  }
  return html`<${Frame}>
    <div class="prose">
      <h1>You are invited to play ${table.title}</h1>
      <ul>
        ${table.seats.map(
          (seat, at) =>
            html`<li key=${at}><bdi>${seat.kind === "empty" ? "a free seat" : seat.name}</bdi> <span class="soft">${described(seat)}</span></li>`,
        )}
      </ul>
      ${error && html`<p class="notice error" role="alert">${error}</p>`}
      ${own && html`<p class="notice row spread"><span>You sit at this table already.</span> <a class="button primary" href=${own}>Go to your seat</a></p>`}
      ${!own && table.next === null && html`<p class="notice">${table.over ? "The game is over." : "All seats are taken."} <a href="/">All games</a></p>`}
      ${
        !own &&
        table.next !== null &&
        html`<form onSubmit=${join}>
          <div class="field">
            <label for="name">Your name, which the others see</label>
            <input id="name" required maxlength=${LONGEST_NAME} autocomplete="nickname" value=${name} onInput=${(event) => setName(event.currentTarget.value)} />
          </div>
          <p class="row">
            <button class="primary" aria-disabled=${waiting || undefined}>Sit down</button>
            <a class="button quiet" href=${`/games/${encodeURIComponent(table.game)}`} target="_blank" rel="noopener">The rules</a>
          </p>
        </form>`
      }
    </div>
  <//>`;
}

/** @returns {string | null} the seat that this browser has got by an invitation */
function joinedBy(token) {
  const found = read(JOINED, []).find((pair) => pair?.[0] === token);
  return found && String(found[1]).startsWith("/t/") ? found[1] : null;
}

function described({ kind, here }) {
  if (kind === "computer") return "computer player";
  if (kind === "empty") return "";
  return here ? "here" : "not here";
}

/** The page of the invitation that the address names. */
export const page = () => html`<${Join} token=${pathPart(1)} />`;
