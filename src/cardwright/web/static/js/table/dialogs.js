// Windows over the table: rules, last trick, scores, settings, keys, friends.

import { Card } from "../cards/card.js";
import { ask } from "../api.js";
import { Dialog, html, useEffect, useSetting, useState } from "../dom.js";
import { alone } from "../place.js";
import { PAUSES } from "./deal_end.js";
import { Friends } from "./friends.js";
import { KEYS } from "./keys.js";
import { HEARS, Say } from "./say.js";
import { ShareDeal } from "./share.js";
import { Sheet } from "./sheet.js";

/**
 * @param {{name: string | null, close: () => void, scene: any, feed: any}} props `name` says which window is open
 */
export function TableDialog({ name, close, ...rest }) {
  const window = WINDOWS[name];
  if (!window) return null;
  const [title, Content] = window;
  return html`<${Dialog} title=${title} close=${close} key=${name}><${Content} close=${close} ...${rest} /></${Dialog}>`;
}

const WINDOWS = {
  rules: ["Rules", Rules],
  last: ["Last trick", LastTrick],
  scores: ["Scores", Sheet],
  settings: ["Settings", Settings],
  keys: ["Keys", Keys],
  friends: ["Seats and links", Friends],
  share: ["Share this deal", ShareDeal],
  say: ["Say to the table", Say],
};

/** The rules as the server has them in words. */
function Rules({ scene }) {
  const [rules, setRules] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask(`/api/games/${encodeURIComponent(scene.game.name)}`).then(setRules, (failed) =>
      setError(failed.message),
    );
  }, []);
  if (error) return html`<p class="notice error" role="alert">${error}</p>`;
  if (rules === null) return html`<p role="status">One moment …</p>`;
  const options = Object.entries(scene.game.options);
  return html`<h3>${scene.game.title}</h3>
    ${rules.rules.map(
      ({ heading, text }) => html`<p key=${heading}>${heading && html`<strong>${heading}. </strong>`}${text}</p>`,
    )}
    ${
      options.length > 0 &&
      html`<h4>At this table</h4>
      <ul>${options.map(([name, value]) => html`<li key=${name}>${`${about(rules, name)}: ${value}`}</li>`)}</ul>`
    }
    <p><a href=${`/games/${encodeURIComponent(scene.game.name)}`} target="_blank" rel="noopener">All about this game</a></p>`;
}

function about(rules, name) {
  return rules.options.find((option) => option.name === name)?.about ?? name;
}

function LastTrick({ scene }) {
  if (!scene.last) return html`<p>There is no finished trick yet.</p>`;
  const { cards, winner } = scene.last;
  return html`<ul class="last-trick">
      ${cards.map(
        ({ seat, card }) =>
          html`<li key=${card.id}><${Card} face=${card} /><span>${scene.seats[seat].name}</span></li>`,
      )}
    </ul>
    ${winner !== null && html`<p>${scene.seats[winner].name} took it.</p>`}`;
}

function Settings({ scene, feed }) {
  const [four, setFour] = useSetting("four-colours", false);
  const [sounds, setSounds] = useSetting("sounds", false);
  const [hears, setHears] = useSetting(HEARS, true);
  const [letters, setLetters] = useSetting("letter-keys", true);
  const own = scene.seats[scene.seat];
  return html`
    <${PaceField} scene=${scene} feed=${feed} />
    ${own && html`<${NameField} name=${own.name === "You" ? "" : own.name} feed=${feed} />`}
    ${own && html`<${NextDeal} />`}
    <div class="stack">
      ${own && html`<${Forced} />`}
      <${Check} label="Four colours for the suits" value=${four} set=${setFour} />
      <${Check} label="Sounds" value=${sounds} set=${setSounds} />
      ${!alone && html`<${Check} label="Show what others say" value=${hears} set=${setHears} />`}
      <${Check} label="Letters are commands (h for a hint, and so on)" value=${letters} set=${setLetters} />
    </div>
  `;
}

/** When the next deal begins, for this person. */
function NextDeal() {
  const [seconds, setSeconds] = useSetting("next-deal", 0);
  return html`<div class="field">
    <label for="next-deal">The next deal begins</label>
    <select id="next-deal" value=${seconds} onChange=${(event) => setSeconds(Number(event.target.value))}>
      ${PAUSES.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}
    </select>
  </div>`;
}

function Forced() {
  const [forced, setForced] = useSetting("forced", false);
  return html`<${Check} label="The only possible choice is made for me" value=${forced} set=${setForced} />`;
}

function Check({ label, value, set }) {
  return html`<label><input type="checkbox" checked=${value} onChange=${(event) => set(event.target.checked)} />${label}</label>`;
}

function PaceField({ scene, feed }) {
  const [pace, setPace] = useState(scene.pace);
  const words = pace === 0 ? "at once" : `${pace} ${pace === 1 ? "second" : "seconds"} a move`;
  return html`<div class="field">
    <label for="pace">Pace of computer players: ${words}</label>
    <input
      id="pace"
      type="range"
      min="0"
      max="4"
      step="0.25"
      value=${pace}
      aria-valuetext=${words}
      onInput=${(event) => setPace(Number(event.target.value))}
      onChange=${(event) => feed.act("pace", { pace: Number(event.target.value) })}
    />
  </div>`;
}

function NameField({ name, feed }) {
  const [text, setText] = useState(name);
  const [said, setSaid] = useState("");
  const save = async (event) => {
    event.preventDefault();
    try {
      await feed.act("name", { name: text.trim() });
      setSaid("That is your name now.");
    } catch (error) {
      setSaid(error.message);
    }
  };
  return html`<form class="field" onSubmit=${save}>
    <label for="name">Your name</label>
    <div class="row nowrap"><input id="name" maxlength="40" value=${text} onInput=${(event) => setText(event.target.value)} /><button>Save</button></div>
    <span class="help" role="status">${said}</span>
  </form>`;
}

function Keys() {
  return html`<table>
    <tbody>${KEYS.map(([keys, words]) => html`<tr key=${keys}><th scope="row">${keys.split(" ").map((key) => html`<kbd key=${key}>${key}</kbd> `)}</th><td>${words}</td></tr>`)}</tbody>
  </table>`;
}
