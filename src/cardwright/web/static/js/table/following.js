// A table followed by a component: what is shown now, all that was told, and the connection.

import { useEffect, useState } from "../dom.js";
import { Feed } from "./feed.js";
import { snapshot } from "./motion.js";
import { sound } from "./sounds.js";

/**
 * @param {string} token
 * @param {{current: Element | null}} board where cards are, to move them from there
 * @returns {{feed: Feed | null, step: any, events: any[], connection: {live: boolean, error?: Error}}} the step to be
 *   shown has a snapshot of what was shown before
 */
export function useFeed(token, board) {
  const [feed, setFeed] = useState(null);
  const [step, setStep] = useState(null);
  const [events, setEvents] = useState([]);
  const [connection, setConnection] = useState({ live: true });
  useEffect(() => {
    const opened = new Feed(token, {
      show: (next) => {
        const before = board.current ? snapshot(board.current) : null;
        listen(next);
        setStep({ ...next, before });
        setEvents((all) => [...all, ...next.events]);
      },
      state: setConnection,
    });
    setFeed(opened);
    const back = () => !document.hidden && opened.hurry();
    document.addEventListener("visibilitychange", back);
    return () => {
      document.removeEventListener("visibilitychange", back);
      opened.close();
    };
  }, [token]);
  return { feed, step, events, connection };
}

/** The sounds of a step. */
function listen({ scene, events, sweep }) {
  if (scene.over) sound("end");
  else if (sweep || scene.deal_end) sound("trick");
  else if (events.some((event) => event.kind === "move")) sound("card");
  if (scene.decision || (scene.early?.chosen === null && events.length > 0)) sound("turn");
}
