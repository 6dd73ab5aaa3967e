// What the editor asks the server while one writes: completions, and what words mean.

import { autocompletion, hoverTooltip, snippet } from "../../vendor/codemirror/extras.js";
import { ask } from "../api.js";
import { rendered } from "./markdown.js";

const TYPES = { form: "function", variable: "variable", name: "constant", word: "keyword" };

/** Completion and explanations. Where the server does not answer there are just none. */
export const assistance = [
  autocompletion({ override: [offers], icons: false, activateOnTypingDelay: 150 }),
  hoverTooltip(explained, { hoverTime: 400 }),
];

/**
 * @param {import("@codemirror/state").EditorState} state
 * @param {number} place
 * @returns {Promise<{explanation: string | null, from: number, to: number} | null>}
 */
export async function explanation(state, place) {
  try {
    return await ask("/api/studio/hover", { body: { source: state.doc.toString(), offset: place } });
  } catch {
    return null;
  }
}

async function explained(view, place) {
  const found = await explanation(view.state, place);
  if (!found?.explanation) return null;
  const create = () => {
    const dom = document.createElement("div");
    dom.className = "explanation";
    dom.append(rendered(found.explanation));
    return { dom };
  };
  return { pos: found.from, end: found.to, above: true, create };
}

async function offers(context) {
  const last = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && !/[('\w]/.test(last)) return null;
  const body = { source: context.state.doc.toString(), offset: context.pos };
  let found;
  try {
    found = await ask("/api/studio/complete", { body });
  } catch {
    return null;
  }
  if (found.offers.length === 0) return null;
  return { from: found.from, to: found.to, options: found.offers.map(option), validFor: /^\(?'?\w*$/ };
}

function option(offer) {
  return {
    label: offer.typed,
    displayLabel: offer.label,
    type: TYPES[offer.kind],
    detail: offer.detail,
    sortText: offer.order,
    info: offer.about ? () => aside(offer.about) : undefined,
    apply: snippet(offer.snippet),
  };
}

function aside(text) {
  const dom = document.createElement("div");
  dom.className = "explanation";
  dom.append(rendered(text));
  return dom;
}
