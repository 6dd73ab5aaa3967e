// Settings of this browser, kept in localStorage under their own names, as JSON or plain words.

/**
 * @template T
 * @param {string} name
 * @param {T} standard
 * @returns {T} what was written, or the standard where there is nothing of its type
 */
export function read(name, standard) {
  try {
    const text = localStorage.getItem(name);
    if (text === null) return standard;
    if (typeof standard === "string") return text;
    const value = JSON.parse(text);
    return typeof value === typeof standard ? value : standard;
  } catch {
    return standard;
  }
}

/**
 * Write a setting, and tell everything on this page that follows it.
 * @param {string} name
 * @param {any} value
 */
export function write(name, value) {
  try {
    localStorage.setItem(name, typeof value === "string" ? value : JSON.stringify(value));
  } catch {
    // A browser without storage forgets settings with the page.
  }
  dispatchEvent(new CustomEvent("setting", { detail: name }));
}
