// What one begins with: an empty game, a start of a kind, a game of the library, a file.

import { Dialog, html, useEffect, useRef, useState } from "../dom.js";
import { ask } from "../api.js";
import { readRules } from "./files.js";

/**
 * @param {{close: () => void, take: (draft: import("./drafts.js").Draft) => void,
 *   before: import("./drafts.js").Draft | null}} props `before` are the rules that the last loading replaced
 */
export function Start({ close, take: load, before }) {
  const [starts, setStarts] = useState(null);
  const [error, setError] = useState("");
  const upload = useRef(null);
  const fail = (failure) => setError(failure.message);
  useEffect(() => {
    ask("/api/studio/starts").then(setStarts).catch(fail);
  }, []);
  const take = (asked, more = () => ({})) => {
    setError("");
    asked.then((found) => {
      load({ name: found.name, text: found.source, ...more(found) });
      close();
    }).catch(fail);
  };
  const opened = async (event) => {
    try {
      const [file] = event.target.files;
      if (file) load(await readRules(file, starts.most_bytes)), close();
    } catch (failure) {
      fail(failure);
    } finally {
      event.target.value = "";
    }
  };
  return html`<${Dialog} title="Begin with other rules" close=${close} class="start">
    <p>What is in the editor now can be brought back with <em>Undo</em>, and from here.</p>
    ${error && html`<p class="notice error" role="alert">${error}</p>`}
    ${before && html`<p><button onClick=${() => (load(before), close())}>Bring back ${before.name}</button></p>`}
    ${starts === null
      ? html`<p role="status">One moment …</p>`
      : html`<${Kinds} starts=${starts} take=${(body) => take(ask("/api/studio/starts", { body }))} />
          <${Library} games=${starts.games} take=${(name, preset) => take(ask(`/api/studio/library/${name}?${new URLSearchParams({ preset })}`))} />
          <fieldset>
            <legend>A file</legend>
            <div class="row">
              <button onClick=${() => upload.current.click()}>Choose a file …</button>
              <input ref=${upload} type="file" accept=".rcy,text/plain" hidden onChange=${opened} aria-label="A file with rules" />
              ${starts.files.map(
                ({ number, name }) => html`<button
                  key=${number}
                  onClick=${() => take(ask(`/api/studio/files/${number}`), ({ digest }) => ({ file: { number, digest } }))}
                >
                  Open ${name}
                </button>`,
              )}
            </div>
          </fieldset>`}
  </${Dialog}>`;
}

function Kinds({ starts, take }) {
  const [kind, setKind] = useState("empty");
  const [deck, setDeck] = useState("52");
  const [players, setPlayers] = useState(4);
  const empty = kind === "empty";
  return html`<fieldset>
    <legend>A new game</legend>
    <form onSubmit=${(event) => (event.preventDefault(), take(empty ? { kind } : { kind, deck, players }))}>
      <label class="field">
        Kind
        <select value=${kind} onChange=${(event) => setKind(event.target.value)}>
          <option value="empty">empty: the smallest game there is</option>
          ${starts.kinds.map((one) => html`<option key=${one.kind} value=${one.kind}>${one.kind}: ${one.about}</option>`)}
        </select>
      </label>
      ${!empty &&
      html`<div class="row">
        <label>
          Cards
          <select value=${deck} onChange=${(event) => setDeck(event.target.value)}>
            ${starts.decks.map((one) => html`<option key=${one.deck} value=${one.deck}>${one.deck === "own" ? `suits and ranks of your own (${one.cards})` : one.deck}</option>`)}
          </select>
        </label>
        <label>
          Players
          <select value=${players} onChange=${(event) => setPlayers(Number(event.target.value))}>
            ${starts.players.map((count) => html`<option key=${count} value=${count}>${count}</option>`)}
          </select>
        </label>
      </div>`}
      <p><button class="primary">Begin</button></p>
    </form>
  </fieldset>`;
}

function Library({ games, take }) {
  const [game, setGame] = useState(games[0]);
  const [preset, setPreset] = useState(games[0].usual ?? "");
  const choose = (name) => {
    const chosen = games.find((one) => one.name === name);
    setGame(chosen);
    setPreset(chosen.usual ?? "");
  };
  return html`<fieldset>
    <legend>A game of the library, to study or to change</legend>
    <form class="row" onSubmit=${(event) => (event.preventDefault(), take(game.name, preset))}>
      <label>
        <span class="unseen">Game</span>
        <select value=${game.name} onChange=${(event) => choose(event.target.value)}>
          ${games.map((game) => html`<option key=${game.name} value=${game.name}>${game.title}</option>`)}
        </select>
      </label>
      ${game.presets.length > 0 &&
      html`<label>
        <span class="unseen">Variant</span>
        <select value=${preset} onChange=${(event) => setPreset(event.target.value)}>
          <option value="">no preset</option>
          ${game.presets.map((one) => html`<option key=${one} value=${one}>${one.replaceAll("_", " ")}</option>`)}
        </select>
      </label>`}
      <button>Open its rules</button>
    </form>
  </fieldset>`;
}
