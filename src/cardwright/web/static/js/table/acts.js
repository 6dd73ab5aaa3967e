// What can be done with a scene: the pick so far, and what follows from a click on a card, a seat or a button.

import { useEffect, useMemo, useRef, useState } from "../dom.js";
import { clickableFaces } from "./faces.js";
import { NOTHING, decided, exact, matching, pickable, takesSeveral, toggled } from "./selection.js";

/**
 * @typedef {{decision: import("./selection.js").Decision | null, kept: import("./selection.js").Option | null, picked: import("./selection.js").Picked, lit: Set<number>, players: Set<number>, draws: Map<string, import("./selection.js").Option>, several: boolean, advice?: import("./hint.js").Advice | null,
 *   card: (id: number) => void, drop: (id: number) => void, player: (seat: number) => void,
 *   choose: (option: import("./selection.js").Option) => void, reconsider: () => void, claim: () => void, why: (id: number) => void, clear: () => void,
 *   reachable: (option: import("./selection.js").Option) => boolean}} Acts `kept` is what was chosen before its turn
 */

/**
 * @param {any} scene
 * @param {{choose: (number: number, option: number) => Promise<boolean>, reconsider: (number: number) => Promise<boolean>, claim: (number: number) => Promise<boolean>, why: (card: number, picking: boolean) => void}} table `choose`
 *   says whether the choice was taken; until then nothing else can be chosen
 * @returns {Acts}
 */
export function useActs(scene, table) {
  const [sent, setSent] = useState(null);
  useEffect(() => setSent(null), [scene.number, scene.early?.chosen]);
  const { asked, kept } = askedIn(scene);
  const decision = asked?.number === sent ? null : asked;
  const [picked, setPicked] = useState(NOTHING);
  const again = useRef({ number: -1, picked: NOTHING });
  useEffect(() => {
    setPicked(decision?.number === again.current.number ? again.current.picked : NOTHING);
  }, [decision?.number]);
  const options = decision?.options ?? (kept === null ? [] : scene.early.decision.options);
  const known = useMemo(() => new Set(clickableFaces(scene).map(({ id }) => id)), [scene]);
  const shown = kept === null ? picked : pickOf(kept);
  const lit = useMemo(() => pickable(options, shown), [options, picked]);
  const players = useMemo(() => namedPlayers(options, shown), [options, picked]);
  const choose = async (option) => {
    const { number } = decision ?? scene.early?.decision ?? {};
    if (number === undefined || sent !== null || option.index === kept?.index) return;
    setPicked(NOTHING);
    setSent(number);
    if (!(await table.choose(number, option.index))) setSent(null);
  };
  const reconsider = (next) => {
    if (kept === null || sent !== null) return;
    const { number } = scene.early.decision;
    again.current = { number, picked: next };
    table.reconsider(number);
  };
  const pick = (next) => {
    const option = decided(options, next);
    if (option) choose(option);
    else if (kept === null) setPicked(next);
    else reconsider(next);
  };
  const draws = useMemo(() => drawnFrom(options), [decision]);
  const card = (id) => pick(toggled(options, shown, id));
  return {
    decision,
    kept: sent === null ? kept : null,
    picked: shown,
    lit,
    players,
    draws,
    several: takesSeveral(options),
    card,
    drop: (id) => {
      const with_ = shown.cards.has(id) ? shown : toggled(options, shown, id);
      const whole = exact(options, with_);
      if (whole.length === 1) choose(whole[0]);
      else if (kept === null) setPicked(with_);
      else reconsider(with_);
    },
    player: (seat) => pick({ ...shown, player: shown.player === seat ? null : seat }),
    choose,
    reconsider: () => kept !== null && reconsider(decided(options, shown) === null ? shown : NOTHING),
    claim: async () => {
      if (decision === null || scene.claim === null) return;
      setSent(decision.number);
      if (!(await table.claim(decision.number))) setSent(null);
    },
    why: (id) => decision !== null && table.why(id, picked.cards.size > 0),
    clear: () => setPicked(NOTHING),
    reachable: (option) =>
      (option.cards.length > 0 && option.draws !== null && draws.get(pileKey(option.draws)) === option) ||
      (option.cards.length > 0 && option.cards.every((id) => known.has(id))) ||
      (option.players.length === 1 && option.cards.length === 0 && players.size > 1),
  };
}

/** What a scene asks now, in turn or before it, and what was chosen already before its turn. */
function askedIn({ decision, early }) {
  if (decision !== null || early === null) return { asked: decision, kept: null };
  if (early.chosen === null) return { asked: early.decision, kept: null };
  return { asked: null, kept: early.decision.options[early.chosen] };
}

/** The pick that makes an option. */
function pickOf(option) {
  return { cards: new Set(option.cards), player: option.players.length === 1 ? option.players[0] : null };
}

/**
 * @param {{place: string, at: number | null}} pile
 * @returns {string} a key for the pile
 */
export function pileKey({ place, at }) {
  return `${place} ${at ?? 0}`;
}

/** The options that take a hidden card from a pile, by the pile, where there is one for it. */
function drawnFrom(options) {
  const found = new Map();
  for (const option of options) {
    if (option.draws === null || option.players.length > 0) continue;
    const key = pileKey(option.draws);
    found.set(key, found.has(key) ? null : option);
  }
  return new Map([...found].filter(([, option]) => option !== null));
}

/** What can be done by those who only look: nothing. */
export const NO_ACTS = Object.freeze({
  decision: null,
  kept: null,
  picked: NOTHING,
  lit: new Set(),
  players: new Set(),
  draws: new Map(),
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
