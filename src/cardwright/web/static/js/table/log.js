// What happened, in whole sentences: nothing is cut, and what is new is read out.

import { html, useLayoutEffect, useRef } from "../dom.js";

/**
 * @param {{events: any[], opening: string[], seats: any[], own: number | null}} props
 */
export function Log({ events, opening, seats, own }) {
  const box = useRef(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [events.length]);
  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
  };
  return html`<div class="log" ref=${box} role="log" aria-live="polite" aria-label="What happened" tabindex="0" onScroll=${scrolled}>
    ${opening.map((line, at) => html`<p class="change" key=${`opening ${at}`}>${sentence(line)}</p>`)}
    ${events.map(
      (
        event,
      ) => html`<div key=${event.version} class=${`entry ${event.kind} ${event.seat === own ? "own" : ""}`}>
        <p>${told(event, seats, own)}</p>
        ${event.changes.map((line, at) => html`<p class="change" key=${at}>${sentence(line)}</p>`)}
      </div>`,
    )}
  </div>`;
}

/** An event as a sentence, with who did it. */
export function told(event, seats, own) {
  if (event.seat === null) return sentence(event.words);
  if (event.seat === own) return sentence(`You ${event.words}`);
  return sentence(`${seats[event.seat]?.name ?? "?"} ${event.words}`);
}

function sentence(words) {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
