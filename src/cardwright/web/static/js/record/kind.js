// What the games of one kind add up to: wins and places, against whom, and how it went over time.

import { BarChart, LineChart, number } from "../charts.js";
import { html } from "../dom.js";
import { BRACKETS, points, wins } from "./shares.js";

/** @param {{kind: any, title: string}} props */
export function Kind({ kind, title }) {
  const { standing, course, places } = kind;
  const played = course.length > 1;
  return html`<section aria-labelledby="kind-title">
    <h2 id="kind-title">${title}</h2>
    <dl class="figures">
      ${facts(kind).map(([name, words]) => html`<div key=${name}><dt>${name}</dt><dd>${words}</dd></div>`)}
    </dl>
    <div class="charts">
      ${
        places.length > 1 &&
        html`<${BarChart}
          title="Places."
          about=${places.map((count, at) => `${at + 1}: ${count}`).join(", ")}
          unit="games"
          bars=${places.map((value, at) => ({ label: String(at + 1), value }))}
        />`
      }
      ${
        played &&
        standing.games > 0 &&
        html`<${LineChart}
          title="Wins over time."
          about="The share of the last ten games that were won, in percent."
          across="game"
          up="% won"
          points=${course.map(({ won_lately: share }, at) => [at + 1, Math.round(100 * (share ?? 0))])}
        />`
      }
      ${
        played &&
        html`<${LineChart}
          title="Points over time."
          about=${`The score of each game; the ${kind.higher_wins ? "highest" : "lowest"} wins.`}
          across="game"
          up="points"
          points=${course.map(({ score }, at) => [at + 1, score])}
        />`
      }
    </div>
    ${standing.games > 0 && html`<${Against} kind=${kind} />`}
  </section>`;
}

function facts(kind) {
  const { games, standing, a_deal: deal, feats, higher_wins: higher } = kind;
  return [
    ["Games", number(games)],
    standing.games > 0 && ["Won", `${number(standing.won)}: ${wins(standing)}`],
    standing.games > 0 && ["Wins in a row", `${standing.streak} now, ${standing.longest} at most`],
    ["Points a game", `${points(kind)}; ${higher ? "more" : "less"} is better`],
    deal !== null && ["Points a deal", number(deal, 2)],
    ...Object.entries(feats).map(([name, count]) => [name[0].toUpperCase() + name.slice(1), number(count)]),
  ].filter(Boolean);
}

function Against({ kind }) {
  const deals = kind.against.some(({ a_deal: deal }) => deal !== null);
  return html`<h3 id="against">By opponents</h3>
    <div class="scrolled" tabindex="0" role="region" aria-labelledby="against">
      <table>
        <thead>
          <tr>
            <th scope="col">Against</th>
            <th scope="col" class="number">Games</th>
            <th scope="col" class="number">Won</th>
            <th scope="col" class="number">Points a game</th>
            ${deals && html`<th scope="col" class="number">Points a deal</th>`}
          </tr>
        </thead>
        <tbody>
          ${kind.against.map(
            (those) =>
              html`<tr key=${those.opponents}>
                <th scope="row">${those.opponents}</th>
                <td class="number">${number(those.games)}</td>
                <td class="number">${wins(those.standing)}</td>
                <td class="number">${points(those)}</td>
                ${deals && html`<td class="number">${those.a_deal === null ? "–" : number(those.a_deal, 2)}</td>`}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="soft small">${BRACKETS}</p>`;
}
