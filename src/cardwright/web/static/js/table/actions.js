// What is asked, and the answers that are no cards: buttons, the set that is picked, a list to search in.

import { Signed } from "../cards/signs.js";
import { html, useState } from "../dom.js";
import { counted, listed } from "../words.js";
import { HintMark } from "./hint.js";
import { MANY, exact, matching } from "./selection.js";

const SEARCHED = 24; /* choices among which there is a box to find them */
const NUMBERED = /^(\D+)(\d+)(.*)$/; /* such as `bid 1 in clubs` */

/**
 * @param {{scene: any, act: import("./board.js").Acts}} props
 */
export function Actions({ scene, act }) {
  const { decision } = act;
  if (decision === null)
    return html`<div class="actions">
      <div class="kept">
        <p class="prompt" tabindex="-1" aria-live="polite"><${Kept} option=${act.kept} hand=${scene.hand} />${waiting(scene)}</p>
        ${act.kept && html`<button class="small" onClick=${act.reconsider}>Change<span class="unseen"> what you have chosen</span></button>`}
      </div>
    </div>`;
  const { picked } = act;
  const some = picked.cards.size > 0 || picked.player !== null;
  const answers = some
    ? exact(decision.options, picked)
    : decision.options.filter((option) => !act.reachable(option));
  const left =
    some && answers.length === 0
      ? matching(decision.options, picked).filter((option) => !act.reachable(option))
      : [];
  return html`<div class=${`actions asked ${decision.most > 1 ? "several" : ""}`}>
    <p class="prompt" tabindex="-1" aria-live="polite">${decision.prompt}${several(decision, picked)}</p>
    <div class="choose">
      ${!some && act.players.size > 0 && html`<p class="tally">Click a name at the table to choose a player.</p>`}
      <${Answers} key=${decision.number} options=${answers} act=${act} confirm=${some} />
      ${left.length > 0 && html`<${Answers} options=${left} act=${act} />`}
      ${some && html`<button class="quiet" onClick=${act.clear}>Drop the pick</button>`}
    </div>
  </div>`;
}

/** What was chosen before its turn; of cards of the hand, which are raised, those are told who listen. */
function Kept({ option, hand }) {
  if (option === null) return null;
  const raised = option.cards.length > 0 && option.cards.every((id) => hand.some((face) => face.id === id));
  return html`<strong class=${raised ? "unseen" : ""}>${`You will ${option.words}.`}</strong> `;
}

/**
 * The rest can be claimed: why, and a button for it.
 * @param {{scene: any, act: import("./board.js").Acts}} props
 */
export function Claim({ scene, act }) {
  return html`<p class="claim"><span>${capital(scene.claim)}.</span> <button class="small" onClick=${act.claim}>Claim the rest</button></p>`;
}

/** Options as buttons; many of them with a box to type in. */
function Answers({ options, act, confirm }) {
  const [text, setText] = useState("");
  const box = boxOf(options);
  if (box.rows.length > 0)
    return html`<div class="numbered" style=${{ "--columns": String(box.columns) }}>
      <${Answers} options=${box.others} act=${act} />
      <ul class="answers box" aria-label=${box.name}>
        ${box.rows.map(({ option, short, column }) => html`<${Answer} ...${{ option, act, short, column }} key=${option.index} />`)}
      </ul>
    </div>`;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = options.filter((option) => words.every((word) => option.words.toLowerCase().includes(word)));
  const many = options.length > MANY;
  const take = (event) => {
    if (event.key === "Enter" && shown.length > 0 && words.length > 0) act.choose(shown[0]);
  };
  return html`
    ${
      options.length > SEARCHED &&
      html`<label class="filter"
      ><span class="unseen">Type to find a choice; Enter takes the first</span>
      <input type="search" placeholder=${`Find among ${options.length} choices`} value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${take} />
    </label>`
    }
    ${
      shown.length > 0 &&
      html`<ul class=${`answers ${many ? "many" : ""}`}>
      ${shown.map((option) => html`<${Answer} ...${{ option, act }} primary=${confirm && shown.length === 1} key=${option.index} />`)}
    </ul>`
    }
    ${many && html`<p class="unseen" role="status">${counted(shown.length, "choice")}</p>`}
  `;
}

function Answer({ option, act, primary, short, column }) {
  const words = capital(option.words);
  return html`<li style=${column && { gridColumn: String(column) }}>
    <button class=${primary ? "primary" : ""} data-option=${option.index} onClick=${() => act.choose(option)}>
      ${short ? html`<span class="unseen">${words}</span><span aria-hidden="true"><${Signed} text=${short} /></span>` : html`<span class="option">${words}</span>`}<${HintMark} mark=${act.advice?.options.get(option.index)} />
    </button>
  </li>`;
}

/**
 * Bids as a box: where many choices differ in a number and what follows it, numbers are rows, and what follows columns.
 * @param {import("./selection.js").Option[]} options
 */
function boxOf(options) {
  const found = options.map((option) => ({ option, parts: option.words.match(NUMBERED) })).filter(({ parts }) => parts);
  const none = { rows: [], others: [], columns: 0, name: "" };
  if (options.length <= MANY || options.length - found.length > MANY / 2) return none;
  const [name] = found[0].parts.slice(1);
  if (found.some(({ parts }) => parts[1] !== name)) return none;
  const kinds = [...new Set(found.map(({ parts }) => parts[3]))];
  const shared = kinds.length > 2 ? sharedStart(kinds) : "";
  const level = found.length / new Set(found.map(({ parts }) => parts[2])).size > 2;
  return {
    rows: found.map(({ option, parts: [, , number, kind] }) => ({
      option,
      short: option.call || `${number}${kind.startsWith(shared) ? ` ${kind.slice(shared.length)}` : kind}`,
      column: level ? kinds.indexOf(kind) + 1 : 0,
    })),
    others: options.filter((option) => !found.some((one) => one.option === option)),
    columns: level ? kinds.length : 7,
    name: capital(`${name}${shared}`.trim().replace(/\s+/g, ' ')),
  };
}

/** The whole words with which all of these begin, such as ` in `. */
function sharedStart(texts) {
  const words = texts[0].match(/\S+\s+|\s+/g) ?? [];
  const starts = words.map((_, at) => words.slice(0, at + 1).join(""));
  return starts.findLast((start) => texts.every((text) => text.startsWith(start))) ?? "";
}

/**
 * Every choice in words, for those who prefer a list.
 * @param {{decision: import("./selection.js").Decision, act: import("./board.js").Acts}} props
 */
export function AllChoices({ decision, act }) {
  const [open, setOpen] = useState(false);
  if (!decision.options.some(act.reachable)) return null;
  return html`<details class="all-choices" open=${open} onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${decision.options.length === 1 ? "The only choice" : `All ${decision.options.length} choices`} in words</summary>
    ${open && html`<${Answers} options=${decision.options} act=${act} />`}
  </details>`;
}

/** How many cards are picked, where it takes several; words that come and go are for those who listen alone. */
function several(decision, picked) {
  const { least, most } = decision;
  if (most <= 1) return "";
  const words =
    least === most
      ? html`${picked.cards.size} of ${most}<span class="unseen"> picked</span>`
      : picked.cards.size > 0
        ? `${picked.cards.size} picked`
        : "";
  return words && html` <span class=${least === most ? "tally" : "unseen"}>${words}</span>`;
}

function waiting(scene) {
  if (scene.over !== null) return "The game is over.";
  const choosing = scene.choosing.filter((seat) => seat !== scene.seat).map((seat) => scene.seats[seat].name);
  if (choosing.length > 1) return `${listed(choosing)} still choose.`;
  const due = scene.seats.find((seat) => seat.due);
  if (!due) return "";
  if (scene.seat === null) return `${due.name} is to play.`;
  return `Waiting for ${due.name}.`;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
