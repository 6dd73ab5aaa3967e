// What comes from a table, in order and at a pace that can be followed: the scene, the log, the connection.

import { ApiError, ask, follow } from "../api.js";
import { nameless } from "../words.js";

/**
 * @typedef {{scene: any, events: any[], sweep?: {taker: number | null, cards: number[]}}} Step
 * a moment to be shown: the scene, the events that led there, and a trick that is taken with it
 */

/** The account of one link: it loads the table, follows its stream, and shows step after step. */
export class Feed {
  /**
   * @param {string} token
   * @param {{show: (step: Step) => void, state: (state: {live: boolean, error?: ApiError}) => void}} client
   */
  constructor(token, client) {
    this.address = `/api/t/${encodeURIComponent(token)}`;
    this.client = client;
    this.version = 0;
    this.waiting = [];
    this.timer = null;
    this.shown = null;
    this.end = follow(`${this.address}/events`, {
      message: (data) => this.take(data),
      state: (live, error) => client.state({ live, error }),
    });
  }

  /**
   * Take an answer with a scene, from the stream or from a request; what is known already is left out.
   * @param {{version: number, scene: any, events: any[]}} data
   */
  take(data) {
    const events = data.events.filter((event) => event.version > this.version);
    if (data.version < this.version) return;
    this.version = data.version;
    callYou(data.scene);
    const first = this.shown === null && this.waiting.length === 0;
    if (first) this.waiting.push({ scene: data.scene, events });
    else this.waiting.push(...stepsOf(this.waiting.at(-1)?.scene ?? this.shown, data.scene, events));
    this.next();
  }

  /** Show what waits, one step after the other; at once where nobody looks. */
  next() {
    while (this.timer === null && this.waiting.length > 0) {
      const step = this.waiting.shift();
      this.shown = step.scene;
      this.client.show(step);
      const hold = document.hidden || this.waiting.length > 12 ? 0 : (step.hold ?? 0);
      if (hold > 0) {
        this.timer = setTimeout(() => {
          this.timer = null;
          this.next();
        }, hold);
      }
    }
  }

  /** Show everything that waits, now. */
  hurry() {
    clearTimeout(this.timer);
    this.timer = null;
    for (const step of this.waiting) step.hold = 0;
    this.next();
  }

  /**
   * Do something at the table.
   * @param {string} command
   * @param {object} [body]
   */
  async act(command, body = {}) {
    const answer = await ask(`${this.address}/${command}`, { body });
    if (answer?.scene) this.take(answer);
    return answer;
  }

  close() {
    clearTimeout(this.timer);
    this.end();
  }
}

const LONGEST_HOLD = 2000;
const HOLD_AMONG_PEOPLE = 600;

/** Call those who have not said their name "You" on their own page. */
function callYou({ seat, seats }) {
  if (seat !== null && nameless(seats[seat])) seats[seat].name = "You";
}

/** For how long a completed trick stays: as the pace says; friends at a table without pauses see it too. */
function holdOf(scene) {
  const people = scene.seats.filter((seat) => seat.kind === "person").length;
  return scene.pace > 0 || people < 2 ? Math.min(1400 * scene.pace, LONGEST_HOLD) : HOLD_AMONG_PEOPLE;
}

/**
 * A completed trick stays for a moment before it is taken.
 * @returns {(Step & {hold?: number})[]}
 */
function stepsOf(before, scene, events) {
  if (scene.deal_end !== null) return [{ scene, events }]; // it still lies there
  const at = events.findLastIndex((event) => event.trick);
  const hold = holdOf(scene);
  if (at < 0 || hold === 0) return [{ scene, events }];
  const { trick } = events[at];
  const cards = trick.cards.map(({ card }) => card.id);
  const held = {
    ...before,
    hand: before.hand.filter((face) => !cards.includes(face.id)),
    seats: before.seats.map((seat) => ({ ...seat, due: false })),
    trick,
    decision: null,
  };
  return [
    { scene: held, events: events.slice(0, at + 1), hold },
    { scene, events: events.slice(at + 1), sweep: { taker: trick.winner, cards } },
  ];
}
