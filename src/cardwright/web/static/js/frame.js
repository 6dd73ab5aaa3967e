// The frame of every page: where one can go, the colours, and the page's own part between.

import { html, useState } from "./dom.js";
import { alone } from "./place.js";
import { shown, turn } from "./theme.js";

const PLACES = [
  ["/", "Games"],
  ["/studio", "Studio"],
  ...(alone ? [["/replay", "Replay"], ["/console", "Console"]] : [["/seasons", "Seasons"]]),
  ["/about", "About"],
];

/**
 * @param {{current?: string, wide?: boolean, tools?: any, children: any}} props `current` is the
 *   address of the place in the header that this page is or belongs to; `tools` stand in the header
 */
export function Frame({ current, wide, tools, children }) {
  return html`<a class="skip button" href="#main">Skip to the content</a>
    <header class="masthead">
      <a class="brand" href="/" aria-label="Cardwright, home"><${Mark} /><span>Cardwright</span></a>
      <nav aria-label="Site">
        <ul>
          ${PLACES.map(
            ([address, name]) =>
              html`<li key=${address}>
                <a href=${address} aria-current=${address === current ? "page" : undefined}>${name}</a>
              </li>`,
          )}
        </ul>
      </nav>
      ${tools}
      <${ThemeButton} />
    </header>
    <main id="main" tabindex="-1" class=${wide ? "wide" : ""}>${children}</main>`;
}

/** The button that turns light to dark and back. */
export function ThemeButton() {
  const [theme, setTheme] = useState(shown());
  const next = theme === "dark" ? "light" : "dark";
  return html`<button
    class="quiet"
    aria-label=${`Show ${next} colours`}
    title=${`Show ${next} colours`}
    onClick=${() => {
      turn();
      setTheme(shown());
    }}
  >
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round">
      ${
        theme === "dark"
          ? html`<circle cx="12" cy="12" r="4.2" /><path
              d="M12 2.5v2.2M12 19.3v2.2M2.5 12h2.2M19.3 12h2.2M5.3 5.3l1.6 1.6M17.1 17.1l1.6 1.6M5.3 18.7l1.6-1.6M17.1 6.9l1.6-1.6"
            />`
          : html`<path d="M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z" stroke-linejoin="round" />`
      }
    </svg>
  </button>`;
}

/** Two cards, one behind the other. */
function Mark() {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">
    <rect x="3" y="4" width="11" height="16" rx="2" fill="var(--felt)" transform="rotate(-10 8 12)" />
    <rect x="9" y="4" width="11" height="16" rx="2" fill="var(--surface)" stroke="var(--ink)" stroke-width="1.3" transform="rotate(8 14 12)" />
    <path
      d="M12 21.5C7 16.8 2.2 13 2.2 8.3 2.2 5.2 4.5 3 7.3 3c2 0 3.8 1.1 4.7 2.9C12.9 4.1 14.7 3 16.7 3c2.8 0 5.1 2.2 5.1 5.3 0 4.7-4.8 8.5-9.8 13.2Z"
      fill="var(--accent)"
      transform="translate(10.3 7.8) scale(.36) rotate(8)"
    />
  </svg>`;
}
