// Tabs, as WAI-ARIA has them: arrow keys go from one to the next, Tab goes into what is shown.

import { html, useRef } from "../dom.js";

/**
 * @param {{label: string, tabs: {key: string, name: string, content: any}[], shown: string,
 *   show: (key: string) => void}} props all contents stay, and keep what is in them
 */
export function Tabs({ label, tabs, shown, show }) {
  const list = useRef(null);
  const move = (event) => {
    const at = tabs.findIndex((one) => one.key === shown);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    show(tabs[index].key);
    list.current.children[index].focus();
  };
  return html`<div class="tabs">
    <div role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
      ${tabs.map(
        ({ key, name }) =>
          html`<button
            key=${key}
            id=${`tab-${key}`}
            role="tab"
            class="quiet"
            aria-selected=${key === shown ? "true" : "false"}
            aria-controls=${`panel-${key}`}
            tabindex=${key === shown ? 0 : -1}
            onClick=${() => show(key)}
          >
            ${name}
          </button>`,
      )}
    </div>
    ${tabs.map(
      ({ key, content }) =>
        html`<div
          key=${key}
          id=${`panel-${key}`}
          role="tabpanel"
          aria-labelledby=${`tab-${key}`}
          tabindex="0"
          hidden=${key !== shown}
        >
          ${content}
        </div>`,
    )}
  </div>`;
}
