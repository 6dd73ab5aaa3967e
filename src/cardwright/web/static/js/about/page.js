// The page about the site: what it is, who sees what, keys, access, versions.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { alone } from "../place.js";
import { KEYS as STUDIO_KEYS } from "../studio/help.js";
import { KEYS as TABLE_KEYS } from "../table/keys.js";

function About() {
  const [facts, setFacts] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask("/api/about").then(setFacts, (failure) => setError(failure.message));
  }, []);
  return html`<div class="about">
    <div class="prose">
      <h1>About</h1>
      <p>
        Cardwright plays card games from their rules. Every game here is a text in RECYCLE, a language for
        the rules of card games: it is checked, played at the <a href="/">table</a>, measured, and can be
        changed in the <a href="/studio">studio</a>. People and computer players sit at the same tables,
        and one referee, the rules themselves, says what is allowed.
      </p>
      <h2 id="privacy">Who sees what</h2>
      ${alone ? html`<${PrivacyAlone} />` : html`<${Privacy} facts=${facts} />`}
      <h2 id="keys">Keys</h2>
      <h3>At the table</h3>
    </div>
    <${Keys} keys=${TABLE_KEYS.map(([keys, words]) => [keys.split(" "), words])} />
    <p class="prose">The letters can be switched off in the settings of a table.</p>
    <h3>In the studio</h3>
    <${Keys} keys=${STUDIO_KEYS} together />
    <div class="prose">
      <h2 id="access">Access for all</h2>
      <p>
        Everything can be done with the keyboard alone. What happens at a table is told in sentences, which
        screen readers read as they come; cards have names. Colours follow your system, or the button at
        the top; suits can have four colours. Motion stays away where your system asks for less of it, and
        sounds are off until you want them. Pages work from 360 pixels of width, and at large zoom. If
        something hinders you all the same, that is a fault of ours.
      </p>
      <h2 id="versions">Versions</h2>
      ${error && html`<p class="notice error" role="alert">${error}</p>`}
      ${facts && html`<${Versions} facts=${facts} />`}
      ${!alone && html`<p><a href="/api/">The interface for programs</a></p>`}
      ${alone ? html`<${Contents} />` : html`<${Licences} />`}
    </div>
  </div>`;
}

function Licences() {
  return html`<p class="small">
    Cardwright is free software under the MIT licence. The pages use
    ${" "}<a href="/static/vendor/preact.LICENSE">preact</a> (MIT),
    ${" "}<a href="/static/vendor/htm.LICENSE">htm</a> (Apache 2.0) and
    ${" "}<a href="/static/vendor/codemirror/LICENSE">CodeMirror</a> (MIT).
  </p>`;
}

/** What a page has in it that needs no server. */
function Contents() {
  const [page, setPage] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask("/api/page").then(setPage, (failure) => setError(failure.message));
  }, []);
  if (error) return html`<p class="notice error" role="alert">${error}</p>`;
  return html`<h2 id="contents">What is in this page</h2>
    <dl>
      ${Object.entries(page?.parts ?? {}).map(
        ([part, bytes]) => html`<dt key=${part}>${part}</dt>
          <dd>${(bytes / 1e6).toFixed(1)} MB</dd>`,
      )}
    </dl>
    <details class="more">
      <summary>Licences</summary>
      <pre class="small" tabindex="0" role="region" aria-label="Licences">${page?.licences}</pre>
    </details>`;
}

/** @param {{facts: any}} props what the server says of itself */
function Privacy({ facts }) {
  return html`<p>
      A seat is shown what its player may know by the rules: its own cards, what lies open, and what
      was played. Nothing else leaves the server, and computer players know no more than their seats do.
      Who has the link of a seat sits there, so send it to one person only. Those who watch have a link of
      their own: they see what all players see, unless the table was made to show all hands, at once or
      some moves later. The cards that were dealt, and the number from which they can be dealt again, are
      shown when the game is over.
    </p>
    <p>
      There are no accounts, no cookies, and nothing is loaded from other sites. Your browser keeps the links
      of tables that you made, your settings, and the rules that you write in the studio; the server gets
      rules to check and play them, and keeps them only with the tables that play by them. It keeps the results of your
      games for your ${" "}<a href="/record">record</a>, until you delete them there. ${facts && kept(facts)}
    </p>`;
}

/** What a page keeps to itself that needs no server. */
function PrivacyAlone() {
  return html`<p>
      Everything happens in this page: the rules, the computer players and the cards are in your browser, and nothing is
      sent anywhere. Computer players know no more than their seats do. The hands of all seats, and the number from which
      they are dealt, are in the memory of the page, so whoever wants to look at them with the tools of the browser can:
      for a contest between people a server has to deal.
    </p>
    <p>Your browser keeps your tables, your record, your settings, and the rules that you write in the studio.</p>`;
}

/** @param {any} facts what the server says of itself */
function kept(facts) {
  const tables = facts.kept
    ? `Tables are kept on the server, and deleted when nobody has touched them for ${facts.days} days.`
    : "Tables are kept only while the server runs.";
  const whose = facts.public
    ? " This server is open to others."
    : " This server can be reached from its own machine alone.";
  return tables + whose;
}

/** @param {{keys: [string[], string][], together?: boolean}} props `together`: keys are pressed at once */
function Keys({ keys, together }) {
  return html`<table>
    <thead class="unseen"><tr><th scope="col">Keys</th><th scope="col">What they do</th></tr></thead>
    <tbody>
      ${keys.map(
        ([pressed, words]) => html`<tr key=${words}>
          <th scope="row">
            ${pressed.map((key, at) => html`${at > 0 && (together ? " + " : " ")}<kbd key=${key}>${key}</kbd>`)}
          </th>
          <td>${words}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function Versions({ facts }) {
  return html`<dl>
    <dt>Cardwright</dt>
    <dd>${facts.cardwright}, with ${facts.games} games</dd>
    <dt>Python</dt>
    <dd>${facts.python}</dd>
    <dt>Rules</dt>
    <dd>up to ${facts.source.toLocaleString("en")} bytes</dd>
    ${
      !alone &&
      html`<dt>Tables</dt>
        <dd>up to ${facts.tables.toLocaleString("en")} an hour from one address</dd>`
    }
  </dl>`;
}

/** The page about the site. */
export const page = () => html`<${Frame} current="/about"><${About} /></${Frame}>`;
