// The form that makes a table: preset, options, seats, pace, who may watch.

import { ask } from "../api.js";
import { CopyButton, html, useEffect, useMemo, useRef, useState } from "../dom.js";
import { Unreachable } from "../invite/invitation.js";
import { useReach } from "../invite/reach.js";
import { makeTable } from "../new_table.js";
import { alone, go } from "../place.js";
import { OptionFields } from "./options.js";
import { SeatFields, chosenSeats, wantedSeats } from "./seats.js";

const PACES = [
  [2, "slowly"],
  [1, "at a walk"],
  [0.4, "quickly"],
  [0, "at once"],
];
const WATCHING = [
  ["no", "nobody"],
  ["public", "what lies open, like a bystander"],
  ["delayed", "all hands, when the deal is over"],
  ["open", "all hands at once, if all who play agree"],
];
const WAIT = 250;

/**
 * @param {{game: any, first: string | null, tell: (tried: any) => void}} props `first` is the preset that is chosen at
 *   first; `tell` gets what the game is with the chosen settings, and these as `preset` and `set`
 */
export function TableForm({ game, first, tell }) {
  const [preset, setPreset] = useState(first);
  const [changes, setChanges] = useState({});
  const { tried, problem } = useTried(game, preset, changes);
  const [chosen, setChosen] = useState(() => chosenSeats(game, []));
  const [rest, setRest] = useState({ pace: 1, practice: false, watch: "no", listed: false, seed: "" });
  const [made, setMade] = useState(null);
  const [state, setState] = useState("");
  useEffect(() => {
    setChosen((before) => chosenSeats(tried, before));
    tell({ ...tried, preset, set: changes });
  }, [tried]);
  const usual = useMemo(() => usualValues(game, preset), [preset]);
  const set = (part) => setRest((before) => ({ ...before, ...part }));
  const seats = chosenSeats(tried, chosen);
  const several = wantedSeats(seats).filter(({ kind }) => kind === "person").length > 1;

  const start = async (event) => {
    event.preventDefault();
    if (problem || state === "Dealing …") return;
    setState("Dealing …");
    const { seed, ...others } = rest;
    const wanted = { game: game.name, title: game.title, preset, options: changes, seats: wantedSeats(seats), ...others };
    if (seed.trim() && !several) wanted.seed = seed.trim();
    try {
      const links = await makeTable(wanted);
      if (links.seats.length === 1 && rest.watch === "no") go(links.seats[0].link);
      else setMade({ links, me: seats.findIndex(({ who }) => who === "me") });
      setState("");
    } catch (error) {
      setState(error.message);
    }
  };

  return html`<aside class="panel setup" aria-labelledby="friends">
    <h2 id="friends">A table of your own</h2>
    ${made
      ? html`<${Links} ...${made} again=${() => setMade(null)} />`
      : html`<form onSubmit=${start}>
          ${game.presets.length > 0 &&
          html`<${Presets}
            game=${game}
            preset=${preset}
            change=${(name) => {
              setPreset(name);
              setChanges({});
            }}
          />`}
          ${game.options.length > 0 &&
          html`<details class="more">
            <summary>Options of the rules${Object.keys(changes).length ? ` (${Object.keys(changes).length} changed)` : ""}</summary>
            <${OptionFields}
              options=${game.options}
              values=${{ ...usual, ...tried.options, ...changes }}
              usual=${usual}
              change=${(name, value) => setChanges((before) => changed(before, usual, name, value))}
            />
          </details>`}
          <p class="notice error" role="alert" hidden=${!problem}>${problem}</p>
          <${SeatFields} seats=${tried.seats} chosen=${seats} players=${tried.computer_players} change=${setChosen} />
          <div class="field">
            <label for="pace">Computer players move</label>
            <select id="pace" value=${rest.pace} onChange=${(event) => set({ pace: Number(event.currentTarget.value) })}>
              ${PACES.map(([seconds, words]) => html`<option key=${seconds} value=${seconds}>${words}</option>`)}
            </select>
          </div>
          ${!alone &&
          html`<div class="field">
            <label for="watch">Who has the link for it may watch</label>
            <select id="watch" value=${rest.watch} onChange=${(event) => set({ watch: event.currentTarget.value })}>
              ${WATCHING.map(([mode, words]) => html`<option key=${mode} value=${mode}>${words}</option>`)}
            </select>
          </div>`}
          ${rest.watch !== "no" &&
          html`<p>
            <label>
              <input type="checkbox" checked=${rest.listed} onChange=${(event) => set({ listed: event.currentTarget.checked })} />
              List it on the first page, for anybody here to watch
            </label>
          </p>`}
          <p>
            <label>
              <input type="checkbox" checked=${rest.practice} onChange=${(event) => set({ practice: event.currentTarget.checked })} />
              Practice: moves can be taken back
            </label>
          </p>
          <details class="more">
            <summary>The same cards again</summary>
            <div class="field">
              <label for="seed">Seed</label>
              <input
                id="seed"
                inputmode="numeric"
                pattern="[0-9]{1,20}"
                aria-describedby="seed-about"
                disabled=${several}
                value=${several ? "" : rest.seed}
                onInput=${(event) => set({ seed: event.currentTarget.value })}
              />
              <span class="help" id="seed-about">
                ${several ? "With friends the cards are drawn by lot: whoever knew the seed would know all hands." : "The same number deals the same cards. Empty: drawn by lot."}
              </span>
            </div>
          </details>
          <p class="row">
            <button class="primary" aria-disabled=${problem ? "true" : undefined}>Sit down</button>
            <span role="status">${state}</span>
          </p>
        </form>`}
  </aside>`;
}

function Presets({ game, preset, change }) {
  const about = game.presets.find(({ name }) => name === preset)?.about ?? "The game as its file has it.";
  return html`<div class="field">
    <label for="preset">Variant</label>
    <select id="preset" value=${preset ?? ""} onChange=${(event) => change(event.currentTarget.value || null)} aria-describedby="preset-about">
      <option value="">no preset</option>
      ${game.presets.map(({ name }) => html`<option key=${name} value=${name}>${name.replaceAll("_", " ")}</option>`)}
    </select>
    <span class="help" id="preset-about">${about}</span>
  </div>`;
}

/** The links of a table that was made: one's own, those for friends, the one to watch. */
function Links({ links, me, again }) {
  const heading = useRef(null);
  const reach = useReach();
  useEffect(() => heading.current.focus(), []);
  const friends = links.seats.filter(({ seat }) => seat !== me);
  const own = links.seats.find(({ seat }) => seat === me);
  return html`<div class="links">
    <h3 tabindex="-1" ref=${heading}>The table is ready</h3>
    ${friends.length > 0 && html`<p>Send each friend the link of a seat. Who has it, sits there; keep your own to yourself.</p>`}
    ${reach && html`<${Unreachable} why=${reach.why} />`}
    ${reach && friends.map(({ seat, link }) => html`<${Link} key=${link} label=${`Seat ${seat + 1}, for a friend`} link=${link} whole=${reach.whole(link)} />`)}
    ${reach && links.watch && html`<${Link} label="To watch" link=${links.watch} whole=${reach.whole(links.watch)} />`}
    <p class="row">
      ${own && html`<a class="button primary" href=${own.link}>Take your seat</a>`}
      <button class="quiet" onClick=${again}>Another table</button>
    </p>
  </div>`;
}

function Link({ label, link, whole }) {
  return html`<div class="field">
    <label for=${link}>${label}</label>
    <span class="row copied">
      <input id=${link} readonly value=${whole} onFocus=${(event) => event.currentTarget.select()} />
      <${CopyButton} text=${whole} label=${`Copy the link: ${label}`} />
    </span>
  </div>`;
}

/** What a game is with the chosen settings; what was right last stays while something is wrong. */
function useTried(game, preset, changes) {
  const [tried, setTried] = useState({
    seats: game.seats,
    options: usualValues(game, preset),
    computer_players: game.computer_players,
    left_out: game.left_out,
    notes: game.notes,
    opponents: game.opponents,
  });
  const [problem, setProblem] = useState("");
  const known = useRef(preset === game.usual_preset);
  useEffect(() => {
    if (known.current) {
      known.current = false;
      return undefined;
    }
    const end = new AbortController();
    const timer = setTimeout(() => {
      ask(`/api/games/${game.name}/check`, { body: { preset, options: changes }, signal: end.signal }).then(
        (found) => {
          setTried(found);
          setProblem("");
        },
        (error) => error.name !== "AbortError" && setProblem(error.message),
      );
    }, WAIT);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [preset, changes]);
  return { tried, problem };
}

/** The values of all options with a preset. */
function usualValues(game, preset) {
  const values = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
  return { ...values, ...(game.presets.find(({ name }) => name === preset)?.options ?? {}) };
}

/** The changes with one more, or one less where a value is the usual one again. */
function changed(before, usual, name, value) {
  const { [name]: _, ...others } = before;
  return value === usual[name] ? others : { ...others, [name]: value };
}
