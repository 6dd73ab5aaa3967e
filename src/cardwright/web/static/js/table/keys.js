// Letters as commands. They work wherever one does not type, and can be switched off in the settings.

import { useEffect, useRef } from "../dom.js";
import { read } from "../settings.js";

/** @type {[string, string][]} for the list of keys */
export const KEYS = [
  ["← → Home End", "move over your hand"],
  ["Enter Space", "play or pick the card, press the button"],
  ["Tab", "from the hand to the choices and buttons"],
  ["Esc", "close a window; drop what is picked"],
  ["w", "why the card under the cursor cannot be played"],
  ["c", "go to your cards"],
  ["a", "go to the choices that are no cards"],
  ["h", "a hint, and away with it"],
  ["k", "claim the rest, where that is offered"],
  ["u", "take back your last move, with everybody's consent"],
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
 * Give those who play by keys the focus back when something is asked: the card or button that had it is gone.
 * @param {number | undefined} number of the decision
 * @param {() => void} focus
 */
export function useReturningFocus(number, focus) {
  const byKeys = useRef(false);
  useEffect(() => {
    const note = (event) => {
      byKeys.current = event.type === "keydown";
    };
    addEventListener("keydown", note, true);
    addEventListener("pointerdown", note, true);
    return () => {
      removeEventListener("keydown", note, true);
      removeEventListener("pointerdown", note, true);
    };
  }, []);
  useEffect(() => {
    if (number !== undefined && byKeys.current && document.activeElement === document.body) focus();
  }, [number]);
}
