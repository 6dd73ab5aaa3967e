// JSON schemas as nested lists: the members of an object with their types and what they mean.

import { html } from "../dom.js";

/**
 * @param {any} schema
 * @returns {any} its type, what it means, and its members
 */
export function described(schema) {
  const inside = objectIn(schema);
  return html`<p>${typeOf(schema)}${schema.description && html`<span>: ${schema.description}</span>`}</p>
    ${inside && members(inside)}`;
}

function members(schema) {
  const required = new Set(schema.required ?? []);
  return html`<ul class="members">
    ${Object.entries(schema.properties).map(([name, one]) => {
      const inside = objectIn(one);
      return html`<li key=${name}>
        <code>${name}</code> <span class="soft">${typeOf(one)}${required.has(name) ? "" : ", may be missing"}</span>
        ${one.description && ` · ${one.description}`}
        ${inside && members(inside)}
      </li>`;
    })}
  </ul>`;
}

/** The object with members in a schema: itself, that of its items, or the one that is not null. */
function objectIn(schema) {
  if (schema.properties && Object.keys(schema.properties).length > 0) return schema;
  if (schema.items) return objectIn(schema.items);
  for (const one of schema.anyOf ?? []) {
    const inside = objectIn(one);
    if (inside) return inside;
  }
  return null;
}

function typeOf(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return html`<a href=${`#schema-${name}`}>${name}</a>`;
  }
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  if (schema.anyOf) return schema.anyOf.map((one, at) => html`${at > 0 && " or "}${typeOf(one)}`);
  if (schema.type === "array") return html`list of ${schema.items ? typeOf(schema.items) : "anything"}`;
  const bounds = [];
  if (schema.minimum !== undefined) bounds.push(`from ${schema.minimum}`);
  if (schema.maximum !== undefined) bounds.push(`to ${schema.maximum}`);
  if (schema.maxLength !== undefined) bounds.push(`of at most ${schema.maxLength} characters`);
  return [schema.type ?? "anything", ...bounds].join(" ");
}
