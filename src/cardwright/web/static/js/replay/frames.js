// The moments of a replay, fetched in stretches and kept, so that going on needs no waiting.

import { ask } from "../api.js";

const STRETCH = 32;

/**
 * @typedef {{number: number, scene: any, event: any | null, chosen: number | null}} Frame
 */

/** The frames of one replay as one pair of eyes saw it. */
export class Frames {
  /**
   * @param {string} id
   * @param {number | null} seat null for all hands
   * @param {number} count
   */
  constructor(id, seat, count) {
    this.address = `/api/replays/${encodeURIComponent(id)}/frames?seat=${seat ?? "all"}`;
    this.count = count;
    /** @type {Map<number, Promise<Frame[]>>} */
    this.stretches = new Map();
  }

  /**
   * @param {number} number how many moves were made
   * @returns {Promise<Frame>}
   */
  async at(number) {
    const at = Math.floor(number / STRETCH);
    const frames = await this.stretch(at);
    if (number % STRETCH > STRETCH / 2) this.ahead(at + 1);
    return frames[number % STRETCH];
  }

  /** Fetch a stretch that will be wanted soon. */
  ahead(at) {
    if (at * STRETCH < this.count) this.stretch(at).catch(() => undefined);
  }

  stretch(at) {
    let found = this.stretches.get(at);
    if (!found) {
      found = ask(`${this.address}&first=${at * STRETCH}&count=${STRETCH}`).then(({ frames }) => frames);
      found.catch(() => this.stretches.delete(at));
      this.stretches.set(at, found);
    }
    return found;
  }
}
