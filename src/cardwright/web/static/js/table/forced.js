// A choice that is the only one is made by itself, if the person has set it so.

import { useEffect, useSetting } from "../dom.js";

const PAUSE = 700; /* milliseconds in which the card is seen before it goes */

/**
 * @param {import("./acts.js").Acts} act
 * @param {any[]} events all that was told; a move that was taken back is not made again
 */
export function useForced(act, events) {
  const [wanted] = useSetting("forced", false);
  const { decision } = act;
  const last = events.findLast(({ number }) => number !== null);
  const returned = last?.kind === "table" && last.number === decision?.number;
  const forced = wanted && decision?.options.length === 1 && !returned;
  useEffect(() => {
    if (!forced) return undefined;
    const timer = setTimeout(() => act.choose(decision.options[0]), PAUSE);
    return () => clearTimeout(timer);
  }, [forced, decision?.number]);
}
