// The checker: it asks the server what is wrong with the rules, a moment after the last key.

import { ask } from "../api.js";

const PAUSE = 250;
const RETRY = 3000;

/** Whether an error may be gone in a moment; else it is one of the text. */
const passing = ({ status }) => status === 0 || status === 429 || status >= 500;

/** One text is checked at a time, and always the newest. */
export class Checker {
  /**
   * @param {() => string} text
   * @param {(state: {text: string, found?: any, error?: Error}) => void} told what was found, or why nothing
   */
  constructor(text, told) {
    this.text = text;
    this.told = told;
    this.timer = 0;
    /** @type {Promise<any> | null} */
    this.running = null;
    /** @type {{text: string, found: any} | null} */
    this.last = null;
  }

  /** Check soon. */
  soon(pause = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now().catch((error) => passing(error) && this.soon(RETRY)), pause);
  }

  /**
   * Check at once, unless that is known.
   * @returns {Promise<any>} what is said of the text as it is
   */
  async now() {
    clearTimeout(this.timer);
    while (this.running) await this.running.catch(() => {});
    const text = this.text();
    if (this.last?.text === text) return this.last.found;
    this.running = ask("/api/studio/check", { body: { source: text } });
    try {
      const found = await this.running;
      this.last = { text, found };
      this.told({ text, found });
      if (this.text() !== text) this.soon();
      return found;
    } catch (error) {
      this.told({ text, error });
      throw error;
    } finally {
      this.running = null;
    }
  }
}
