// The page of the interface for programs: the description that the server gives of itself, to be read.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { described } from "./schema.js";

const ADDRESS = "/api/openapi.json";

/** The parts of the interface by the first word of their addresses, in order. */
const GROUPS = [
  [["tables", "t"], "Tables"],
  [["games"], "Games"],
  [["replays"], "Replays"],
  [["seasons"], "Seasons"],
  [["studio"], "Studio"],
];
const REST = "The site";

function Interface() {
  const [found, setFound] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    ask(ADDRESS).then(setFound, (failure) => setError(failure.message));
  }, []);
  return html`<div class="about">
    <h1>The interface for programs</h1>
    ${error && html`<p class="notice error" role="alert">${error}</p>`}
    ${!found && !error && html`<p role="status">One moment …</p>`}
    ${found && html`<${Description} found=${found} />`}
  </div>`;
}

function Description({ found }) {
  const { info, paths, components } = found;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const names = [...GROUPS.map(([, name]) => name), REST];
  return html`<div class="prose">
      ${info.description.split("\n\n").map((text) => html`<p key=${text}>${text}</p>`)}
      <p>The same for programs: <a href=${ADDRESS}>${ADDRESS}</a> (OpenAPI ${found.openapi}, version ${info.version}).</p>
    </div>
    ${names.map((name) => {
      const listed = operations.filter((one) => group(one.path) === name);
      return (
        listed.length > 0 &&
        html`<section key=${name}>
          <h2>${name}</h2>
          ${listed.map((one) => html`<${Operation} key=${`${one.method} ${one.path}`} ...${one} />`)}
        </section>`
      );
    })}
    <h2 id="schemas">Names in answers</h2>
    ${Object.entries(components.schemas).map(
      ([name, schema]) => html`<details key=${name} class="operation" id=${`schema-${name}`}>
        <summary><code>${name}</code><span>${schema.description}</span></summary>
        <div>${described(schema)}</div>
      </details>`,
    )}`;
}

/** The name of the group of a path. */
function group(path) {
  const word = path.split("/")[2];
  return GROUPS.find(([words]) => words.includes(word))?.[1] ?? REST;
}

function Operation({ path, method, operation }) {
  const answers = Object.entries(operation.responses);
  const good = answers.filter(([status]) => status < "300");
  const bad = answers.filter(([status]) => status >= "300");
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  return html`<details class="operation">
    <summary><span class="method">${method}</span><code>${path}</code><span>${operation.summary}</span></summary>
    <div>
      ${operation.parameters &&
      html`<h3>In the address</h3>
        <ul class="members">
          ${operation.parameters.map(
            (one) => html`<li key=${one.name}><code>${one.name}</code> ${one.in === "query" ? "after the question mark" : ""}
              ${one.description && ` · ${one.description}`}</li>`,
          )}
        </ul>`}
      ${body && html`<h3>What is sent</h3>${described(body)}`}
      ${good.map(([status, answer]) =>
        Object.entries(answer.content ?? {}).map(
          ([media, { schema }]) => html`<h3>What comes (${status}, ${media})</h3>${described(schema)}`,
        ),
      )}
      <h3>Codes of errors</h3>
      <ul class="members">
        ${bad.map(([status, answer]) => html`<li key=${status}><strong>${status}</strong> ${answer.description}</li>`)}
      </ul>
    </div>
  </details>`;
}

/** The page of the interface. */
export const page = () => html`<${Frame} current="/about"><${Interface} /></${Frame}>`;
