// Light or dark: as the system has it, until it is chosen here.

import { read, write } from "./settings.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} what is shown now */
export function shown() {
  const chosen = read("theme", "");
  if (chosen === "light" || chosen === "dark") return chosen;
  return dark.matches ? "dark" : "light";
}

/** Show the other one, from now on. */
export function turn() {
  const next = shown() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  write("theme", next);
}
