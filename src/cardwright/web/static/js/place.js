// Where one is in the site. A server gives each address a document of its own; where there is none, one
// document shows all addresses, which then stand behind the #.

const { dataset } = document.documentElement;

/** Whether one document shows all addresses. */
export const alone = dataset.alone !== undefined;

/** @returns {URL} the address of what is shown, whose host means nothing */
export function place() {
  return alone ? new URL(location.hash.slice(1) || dataset.home, "http://cardwright.invalid") : new URL(location.href);
}

/**
 * @param {number} at counts from 0
 * @returns {string} that part of the path; empty if there is none
 */
export function pathPart(at) {
  return decodeURIComponent(place().pathname.split("/")[at + 1] ?? "");
}

/** @param {string} address as in `/games/hearts`: what is shown next */
export function go(address) {
  location.href = written(address);
}

/** @param {string} address what is shown now is called from here on */
export function rename(address) {
  history.replaceState(history.state, "", written(address));
}

/** @param {string} address @returns {string} the same as a whole link, to be sent to others */
export function wholeLink(address) {
  return new URL(written(address), location.href).href;
}

/** @param {string} address @returns {string} the same as it stands in a link of this document */
export function written(address) {
  if (!alone || !address.startsWith("/")) return address;
  return address.startsWith("/static/") ? address.slice(1) : `#${address}`;
}
