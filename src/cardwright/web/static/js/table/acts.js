// What can be done with a scene: the pick so far, and what follows from a click on a card, a seat or a button.

import { useEffect, useMemo, useState } from "../dom.js";
import { clickableFaces } from "./faces.js";
import { NOTHING, decided, exact, matching, pickable, takesSeveral, toggled } from "./selection.js";

/**
 * @typedef {{decision: import("./selection.js").Decision | null, picked: import("./selection.js").Picked, lit: Set<number>, players: Set<number>, several: boolean, advice?: import("./hint.js").Advice | null,
 *   card: (id: number) => void, drop: (id: number) => void, player: (seat: number) => void,
 *   choose: (option: import("./selection.js").Option) => void, claim: () => void, why: (id: number) => void, clear: () => void,
 *   reachable: (option: import("./selection.js").Option) => boolean}} Acts
 */

/**
 * @param {any} scene
 * @param {{choose: (number: number, option: number) => Promise<boolean>, claim: (number: number) => Promise<boolean>, why: (card: number, picking: boolean) => void}} table `choose`
 *   says whether the choice was taken; until then nothing else can be chosen
 * @returns {Acts}
 */
export function useActs(scene, table) {
  const [sent, setSent] = useState(null);
  useEffect(() => setSent(null), [scene.number]);
  const decision = scene.decision?.number === sent ? null : scene.decision;
  const [picked, setPicked] = useState(NOTHING);
  useEffect(() => setPicked(NOTHING), [decision?.number]);
  const options = decision?.options ?? [];
  const known = useMemo(() => new Set(clickableFaces(scene).map(({ id }) => id)), [scene]);
  const lit = useMemo(() => pickable(options, picked), [decision, picked]);
  const players = useMemo(() => namedPlayers(options, picked), [decision, picked]);
  const choose = async (option) => {
    if (decision === null) return;
    setPicked(NOTHING);
    setSent(decision.number);
    if (!(await table.choose(decision.number, option.index))) setSent(null);
  };
  const pick = (next) => {
    const option = decided(options, next);
    if (option) choose(option);
    else setPicked(next);
  };
  const card = (id) => pick(toggled(options, picked, id));
  return {
    decision,
    picked,
    lit,
    players,
    several: takesSeveral(options),
    card,
    drop: (id) => {
      const with_ = picked.cards.has(id) ? picked : toggled(options, picked, id);
      const whole = exact(options, with_);
      if (whole.length === 1) choose(whole[0]);
      else setPicked(with_);
    },
    player: (seat) => pick({ ...picked, player: picked.player === seat ? null : seat }),
    choose,
    claim: async () => {
      if (decision === null || scene.claim === null) return;
      setSent(decision.number);
      if (!(await table.claim(decision.number))) setSent(null);
    },
    why: (id) => decision !== null && table.why(id, picked.cards.size > 0),
    clear: () => setPicked(NOTHING),
    reachable: (option) =>
      (option.cards.length > 0 && option.cards.every((id) => known.has(id))) ||
      (option.players.length === 1 && option.cards.length === 0 && players.size > 1),
  };
}

/** What can be done by those who only look: nothing. */
export const NO_ACTS = Object.freeze({
  decision: null,
  picked: NOTHING,
  lit: new Set(),
  players: new Set(),
  several: false,
  reachable: () => false,
});

/** The seats that options name one at a time, so that a seat can be picked. */
function namedPlayers(options, picked) {
  const found = new Set();
  for (const option of matching(options, { cards: picked.cards, player: null }))
    if (option.players.length === 1) found.add(option.players[0]);
  return found.size > 1 || picked.player !== null ? found : new Set();
}
