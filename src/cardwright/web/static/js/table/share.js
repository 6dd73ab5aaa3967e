// The window that shares a deal: a link with which somebody else plays the same cards.

import { dealLink } from "../deal/link.js";
import { html, useEffect, useState } from "../dom.js";
import { LinkField } from "../link.js";

/** @param {{feed: import("./feed.js").Feed, scene: any}} props */
export function ShareDeal({ feed, scene }) {
  const [link, setLink] = useState("");
  const [error, setError] = useState("");
  useEffect(() => {
    feed
      .act("deal")
      .then((deal) => dealLink({ ...deal, title: scene.game.title }))
      .then(setLink, (failed) => setError(failed.message));
  }, []);
  if (error) return html`<p class="notice error" role="alert">${error}</p>`;
  if (!link) return html`<p role="status">One moment …</p>`;
  return html`<p>
      Who opens this link plays the same cards from your seat, against the same computer players. The hands can be found in
      it by those who know how.
    </p>
    <${LinkField} link=${link} />`;
}
