// What random games of this game are like, played by the server when somebody looks.

import { ask } from "../api.js";
import { BarChart, IntervalChart, LineChart, number, percent } from "../charts.js";
import { html } from "../dom.js";
import { useWhenSeen } from "./when_seen.js";

export function Statistics({ game }) {
  const { place, found, error } = useWhenSeen(() => ask(`/api/games/${game.name}/statistics`));
  return html`<section ref=${place} aria-labelledby="statistics" aria-busy=${!found && !error}>
    <h2 id="statistics">How it plays</h2>
    ${error && html`<p class="notice" role="alert">${error}</p>`}
    ${!found && !error && html`<p class="soft waiting">Random games are being played …</p>`}
    ${found && html`<${Numbers} found=${found} players=${game.seats.length} preset=${game.usual_preset} />`}
  </section>`;
}

function Numbers({ found, players, preset }) {
  const games = `${number(found.games)} games${preset ? ` of the variant ${preset}` : ""} in which everybody plays at random`;
  if (found.games === 0) return html`<p class="notice">All of ${number(found.broken)} random games broke a rule.</p>`;
  const { length, options, forced, seats, even, fair } = found;
  return html`<p class="soft">
      From ${games}. Intervals are 95 %, over games.${found.broken > 0 && ` ${number(found.broken)} more broke a rule.`}
    </p>
    <dl class="facts numbers">
      <${Fact} name="Decisions a game" of=${length} text=${number} />
      ${options && html`<${Fact} name="Options a decision" of=${options} text=${(value) => number(value, 2)} />`}
      ${forced && html`<${Fact} name="Decisions without a choice" of=${forced} text=${percent} />`}
      ${players > 1 && html`<${Fact} name="Games with a shared win" of=${found.ties} text=${percent} />`}
    </dl>
    <${BarChart}
      title="Length."
      about=${`Decisions a game: ${number(length.least)} to ${number(length.most)}, half of the games at most ${number(length.median)}.`}
      unit="games"
      bars=${length.bars.map((bar) => ({ label: bar.from === bar.to ? `${bar.from}` : `${bar.from}–${bar.to}`, value: bar.games }))}
    />
    ${found.along.length > 1 &&
    html`<${LineChart}
      title="Options."
      about="How many a player has, in the course of a game."
      across="decision"
      up="options"
      points=${found.along.map((one) => [one.decision, one.options])}
    />`}
    ${players > 1 &&
    html`<${IntervalChart}
      title="Fairness."
      about=${`Share of wins by seat; the line is an even share, ${percent(even)}. ${fair ? "All seats together differ from it by no more than chance." : "Some seat is better or worse off, by more than chance."}`}
      unit="wins"
      even=${even}
      text=${percent}
      rows=${seats.map(({ seat, win }) => ({ label: `seat ${seat + 1}`, ...win }))}
    />`}`;
}

function Fact({ name, of, text }) {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      <strong>${text(of.mean)}</strong>${" "}
      ${of.low !== null && html`<span class="small soft">${text(of.low)} to ${text(of.high)}</span>`}
    </dd>
  </div>`;
}
