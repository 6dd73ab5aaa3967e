// What people at a table can say to each other: a few phrases.

import { ask } from "../api.js";
import { html, useEffect, useState } from "../dom.js";
import { alone } from "../place.js";

/** The setting that says whether what others say is shown. */
export const HEARS = "hear-phrases";

/** Whether there are others than computer players. @param {any} scene */
export function others(scene) {
  return scene.seats.some((seat) => seat.seat !== scene.seat && seat.kind !== "computer");
}

/** Whether this seat has anybody to talk to. @param {any} scene */
export function talks(scene) {
  return !alone && scene.seat !== null && others(scene);
}

/** @param {{feed: import("./feed.js").Feed, close: () => void}} props */
export function Say({ feed, close }) {
  const [phrases, setPhrases] = useState([]);
  const [error, setError] = useState("");
  useEffect(() => {
    ask("/api/phrases").then(
      (found) => setPhrases(found.phrases),
      (failed) => setError(failed.message),
    );
  }, []);
  const say = async (phrase) => {
    try {
      await feed.act("say", { phrase });
      close();
    } catch (failed) {
      setError(failed.message);
    }
  };
  return html`${error && html`<p class="notice error" role="alert">${error}</p>`}
    <ul class="phrases">
      ${phrases.map(({ phrase, words }) => html`<li key=${phrase}><button onClick=${() => say(phrase)}>${words}</button></li>`)}
    </ul>`;
}
