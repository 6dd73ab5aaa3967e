// A game's page: what it is, its rules, a table of one's own, and what random play says about it.

import { ask } from "../api.js";
import { Fragment, html, useEffect, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { inWords } from "../home/search.js";
import { InviteDialog } from "../invite/dialog.js";
import { playNow } from "../new_table.js";
import { alone, pathPart, place } from "../place.js";
import { CardFlow } from "./flow.js";
import { RulesText } from "./rules.js";
import { TableForm } from "./setup.js";
import { Statistics } from "./statistics.js";

/** @param {{name: string}} props */
function GamePage({ name }) {
  const [game, setGame] = useState(null);
  const [error, setError] = useState("");
  const [chosen, setChosen] = useState(null);
  useEffect(() => {
    ask(`/api/games/${encodeURIComponent(name)}`).then(
      (found) => {
        document.title = `${found.title} · Cardwright`;
        setGame(found);
      },
      (problem) => setError(problem.message),
    );
  }, []);
  useEffect(() => {
    const { hash } = place();
    if (game && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [game]);
  if (error) return html`<${Frame}><${Unknown} name=${name} message=${error} /><//>`;
  if (!game) return html`<${Frame}><p class="soft">One moment …</p><//>`;
  const wanted = place().searchParams.get("preset");
  const preset = game.presets.some((one) => one.name === wanted) ? wanted : game.usual_preset;
  return html`<${Frame}>
    <${Head} game=${game} preset=${preset} />
    <div class="columns">
      <div class="told">
        <section class="prose" aria-labelledby="rules">
          <h2 id="rules">Rules</h2>
          ${game.rules.map(
            ({ heading, text }) => html`<${Fragment} key=${text}>${heading && html`<h3>${heading}</h3>`}<p>${text}</p><//>`,
          )}
          ${game.rules.length === 0 && html`<p class="soft">Nothing is written about this game but its rules in RECYCLE, below.</p>`}
          <${More} title="What is left out" texts=${(chosen ?? game).left_out} />
          <${More} title="How this differs" texts=${(chosen ?? game).notes} />
        </section>
        <${Statistics} game=${game} />
        <${CardFlow} game=${game} />
        <${RulesText} game=${game} chosen=${chosen} />
      </div>
      <${TableForm} game=${game} first=${preset} tell=${setChosen} />
    </div>
  <//>`;
}

function Unknown({ name, message }) {
  return html`<h1>There is no such game</h1>
    <p class="notice error" role="alert">${message}</p>
    <p><a href=${`/?search=${encodeURIComponent(name)}`}>Search the games</a></p>`;
}

function Head({ game, preset }) {
  const [state, setState] = useState("");
  const [inviting, setInviting] = useState(false);
  const play = async () => {
    if (state === "Dealing …") return;
    setState("Dealing …");
    try {
      await playNow(game.name, preset);
    } catch (problem) {
      setState(problem.message);
    }
  };
  const facts = [
    ["Players", inWords(game.players)],
    ["Cards", game.deck],
    ["From", [game.origin, game.date].filter(Boolean).join(", ")],
    ["In it", game.mechanics.join(", ")],
    ["Hidden", game.information.join(", ")],
    ["Wins", `the ${game.highest_wins ? "highest" : "lowest"} score`],
  ].filter(([, value]) => value);
  return html`<div class="head">
    <div>
      <h1>${game.title}</h1>
      <dl class="facts">
        ${facts.map(
          ([name, value]) =>
            html`<div key=${name}>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
        ${game.source &&
        html`<div>
          <dt>Rules at</dt>
          <dd><a href=${game.source} rel="noreferrer">${new URL(game.source).hostname}</a></dd>
        </div>`}
      </dl>
    </div>
    <p class="row">
      <button class="primary" onClick=${play}>Play now${preset !== game.usual_preset && `: ${preset.replaceAll("_", " ")}`}</button>
      ${!alone && game.seats.length > 1 && html`<button onClick=${() => setInviting(true)}>With friends</button>`}
      <a class="button" href="#friends">Set up a table</a>
      <span role="status">${state}</span>
    </p>
    ${inviting && html`<${InviteDialog} game=${game.name} title=${game.title} close=${() => setInviting(false)} />`}
  </div>`;
}

function More({ title, texts }) {
  if (texts.length === 0) return null;
  return html`<h3>${title}</h3>
    ${texts.map((text) => html`<p key=${text} class="soft">${text}</p>`)}`;
}

/** The page of the game that the address names. */
export const page = () => html`<${GamePage} name=${pathPart(1)} />`;
