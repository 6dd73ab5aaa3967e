// What is asked, and the answers that are no cards: buttons, the set that is picked, a list to search in.

import { html, useState } from "../dom.js";
import { counted } from "../words.js";
import { HintMark } from "./hint.js";
import { exact, matching } from "./selection.js";

const MANY = 10;

/**
 * @param {{scene: any, act: import("./board.js").Acts}} props
 */
export function Actions({ scene, act }) {
  const { decision } = act;
  if (decision === null)
    return html`<div class="actions"><p class="prompt" aria-live="polite">${waiting(scene)}</p></div>`;
  const { picked } = act;
  const some = picked.cards.size > 0 || picked.player !== null;
  const answers = some
    ? exact(decision.options, picked)
    : decision.options.filter((option) => !act.reachable(option));
  const left =
    some && answers.length === 0
      ? matching(decision.options, picked).filter((option) => !act.reachable(option))
      : [];
  return html`<div class="actions asked">
    <p class="prompt" aria-live="polite">${decision.prompt}${several(decision, picked)}</p>
    ${scene.claim !== null && html`<${Claim} scene=${scene} act=${act} />`}
    ${!some && act.players.size > 0 && html`<p class="tally">Click a name at the table to choose a player.</p>`}
    <${Answers} key=${decision.number} options=${answers} act=${act} confirm=${some} />
    ${left.length > 0 && html`<${Answers} options=${left} act=${act} />`}
    ${some && html`<button class="quiet" onClick=${act.clear}>Drop the pick</button>`}
  </div>`;
}

/** The rest can be claimed: why, and a button for it. */
function Claim({ scene, act }) {
  return html`<p class="claim"><span>${capital(scene.claim)}.</span> <button class="small" onClick=${act.claim}>Claim the rest</button></p>`;
}

/** Options as buttons; many of them with a box to type in. */
function Answers({ options, act, confirm }) {
  const [text, setText] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = options.filter((option) => words.every((word) => option.words.toLowerCase().includes(word)));
  const many = options.length > MANY;
  const take = (event) => {
    if (event.key === "Enter" && shown.length > 0 && words.length > 0) act.choose(shown[0]);
  };
  return html`
    ${
      many &&
      html`<label class="filter"
      ><span class="unseen">Type to find a choice; Enter takes the first</span>
      <input type="search" placeholder=${`Find among ${options.length} choices`} value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${take} />
    </label>`
    }
    ${
      shown.length > 0 &&
      html`<ul class=${`answers ${many ? "many" : ""}`}>
      ${shown.map(
        (option) =>
          html`<li key=${option.index}>
            <button class=${confirm && shown.length === 1 ? "primary" : ""} data-option=${option.index} onClick=${() => act.choose(option)}>
              ${capital(option.words)}<${HintMark} mark=${act.advice?.options.get(option.index)} />
            </button>
          </li>`,
      )}
    </ul>`
    }
    ${many && html`<p class="unseen" role="status">${counted(shown.length, "choice")}</p>`}
  `;
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

/** How many cards are picked, where it takes several. */
function several(decision, picked) {
  const { least, most } = decision;
  if (most <= 1) return "";
  const words =
    least === most
      ? `${picked.cards.size} of ${most} picked`
      : picked.cards.size > 0
        ? `${picked.cards.size} picked`
        : "";
  return words && html` <span class="tally">${words}</span>`;
}

function waiting(scene) {
  if (scene.over !== null) return "The game is over.";
  const due = scene.seats.find((seat) => seat.due);
  if (!due) return "";
  if (scene.seat === null) return `${due.name} is to play.`;
  return `Waiting for ${due.name}.`;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
