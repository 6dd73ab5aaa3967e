// Letters as commands. They work wherever one does not type, and can be switched off in the settings.

import { useEffect, useLayoutEffect, useRef } from "../dom.js";
import { read } from "../settings.js";

/** The card of the hand that can have the focus. */
export const HAND = '.hand .card-button[tabindex="0"]';

/** What can be chosen besides cards of the hand. */
export const CHOICES = ".answers button, .actions input, .card-button.on-table, button.plaque";

/** Where the focus stays while nothing can be chosen. */
const RESTS = [HAND, ".actions .prompt", ".deal-end h2", "#over"];

/** @type {[string, string][]} for the list of keys */
export const KEYS = [
  ["← → Home End", "move over your hand"],
  ["Enter Space", "play or pick the card, press the button"],
  ["Tab", "from the hand to the choices and buttons"],
  ["Esc", "close a window; drop what is picked"],
  ["w", "the card under the cursor: why it cannot be played"],
  ["c", "go to your cards"],
  ["a", "go to the choices that are not in your hand"],
  ["h", "a hint, and away with it"],
  ["k", "claim the rest, where that is offered"],
  ["u", "take back your last move, with everybody's consent; what waits for its turn, without"],
  ["n", "the next deal"],
  ["t", "the last trick"],
  ["s", "the scores"],
  ["l", "go to the log"],
  ["r", "the rules"],
  ["o", "sort your hand the other way"],
  ["p", "settings: pace, sounds, colours"],
  ["f", "seats and links for friends"],
  ["m", "say something to the others"],
  ["?", "this list"],
];

/**
 * @param {Record<string, () => void>} commands by their letters
 */
export function useKeys(commands) {
  useEffect(() => {
    const press = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const typing = event.target.closest?.("input:not([type=checkbox], [type=range]), textarea, select");
      if (typing || document.querySelector("dialog[open]")) return;
      if (event.key !== "Escape" && !read("letter-keys", true)) return;
      const command = commands[event.key];
      if (!command) return;
      event.preventDefault();
      command();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

/**
 * Keep the focus of those who play by keys at the table: what had it may be gone with a move. When something is asked it
 * goes to what can be chosen, unless the person has moved it meanwhile.
 * @param {{current: Element | null}} box the table
 * @param {number | undefined} number of the decision
 * @param {boolean} cards whether cards of the hand can be chosen
 */
export function useKeptFocus(box, number, cards) {
  const byKeys = useRef(false);
  const kept = useRef(null);
  const keep = (places) => {
    if (!byKeys.current || document.querySelector("dialog[open]")) return;
    const now = document.activeElement;
    if (now !== document.body && now !== kept.current) return;
    const place = places.map((selector) => box.current.querySelector(selector)).find(Boolean);
    place?.focus({ preventScroll: now === document.body });
    kept.current = place ?? null;
  };
  useEffect(() => {
    const note = (event) => {
      byKeys.current = event.type === "keydown";
      // The next thing that is asked may have the focus already: who holds a key down has not seen it.
      if (event.repeat && ["Enter", " "].includes(event.key) && event.target.closest?.("button")) event.preventDefault();
    };
    const changes = new MutationObserver(() => document.activeElement === document.body && keep(RESTS));
    changes.observe(box.current, { childList: true, subtree: true });
    addEventListener("keydown", note, true);
    addEventListener("pointerdown", note, true);
    return () => {
      changes.disconnect();
      removeEventListener("keydown", note, true);
      removeEventListener("pointerdown", note, true);
    };
  }, []);
  useLayoutEffect(() => {
    if (number !== undefined) keep(cards ? [HAND, CHOICES] : [CHOICES, HAND]);
  }, [number]);
}
