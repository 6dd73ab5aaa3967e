// What pages are made of: preact's functions, and small hooks of our own.
// Data becomes text only by `html`, which escapes it; nothing here writes markup.

import { html, render, useCallback, useEffect, useRef, useState } from "../vendor/preact.js";
import { read, write } from "./settings.js";

export * from "../vendor/preact.js";

/**
 * Draw a page into the element `#page` of its document.
 * @param {object} page what `html` gives
 */
export function show(page) {
  render(page, document.getElementById("page"));
}

/** Take the page away: its parts end what they began. */
export function hide() {
  render(null, document.getElementById("page"));
}

/**
 * A setting of this browser: it survives a reload, and all components that use it follow it.
 * @template T
 * @param {string} name
 * @param {T} standard
 * @returns {[T, (value: T) => void]}
 */
export function useSetting(name, standard) {
  const [value, setValue] = useState(() => read(name, standard));
  useEffect(() => {
    const follow = (event) => {
      if (event.detail === name) setValue(read(name, standard));
    };
    addEventListener("setting", follow);
    return () => removeEventListener("setting", follow);
  }, [name]);
  return [value, useCallback((next) => write(name, next), [name])];
}

/**
 * A modal dialog with a heading; Escape and a click beside it close it, and focus returns.
 * @param {{title: string, close: () => void, children: any, class?: string}} props
 */
export function Dialog({ title, close, children, class: style }) {
  const box = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.isConnected && before.focus?.();
  }, []);
  return html`<dialog
    ref=${box}
    class=${style ?? ""}
    aria-label=${title}
    onClose=${close}
    onClick=${(event) => event.target === box.current && close()}
  >
    <header>
      <h2>${title}</h2>
      <button class="quiet" onClick=${close}>Close</button>
    </header>
    <div class="body" tabindex="-1">${children}</div>
  </dialog>`;
}

/**
 * A button that copies a text and says that it did.
 * @param {{text: string, label: string}} props `label` says what is copied, to those who listen
 */
export function CopyButton({ text, label }) {
  const [done, setDone] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone("Copied");
    } catch {
      setDone("Select the link and copy it yourself");
    }
    setTimeout(() => setDone(""), 2500);
  };
  return html`<button class="small" onClick=${copy}>
    <span aria-live="polite">${done || "Copy"}</span><span class="unseen">${`: ${label}`}</span>
  </button>`;
}
