// A table in play, seen through a link: what comes from the server is shown in order, what is done is sent.

import { html, useEffect, useMemo, useRef, useSetting, useState } from "../dom.js";
import { Frame } from "../frame.js";
import { madeHere } from "../made.js";
import { remember } from "../recent.js";
import { useActs } from "./acts.js";
import { Actions, AllChoices, Claim } from "./actions.js";
import { Board } from "./board.js";
import { callsOf } from "./calls.js";
import { DealEnd } from "./deal_end.js";
import { TableDialog } from "./dialogs.js";
import { useFeed } from "./following.js";
import { useForced } from "./forced.js";
import { FriendsBar } from "./friends.js";
import { HintWords, useHint } from "./hint.js";
import { CHOICES, HAND, useKeptFocus, useKeys } from "./keys.js";
import { Log, told } from "./log.js";
import { hasSuits, laidOut, sorted } from "./order.js";
import { NameAsked } from "./name_asked.js";
import { Over } from "./over.js";
import { HEARS, talks } from "./say.js";
import { Standings } from "./sheet.js";
import { Toolbar } from "./toolbar.js";
import { UndoBar } from "./undo.js";

/** @param {{token: string}} props */
export function LiveTable({ token }) {
  const board = useRef(null);
  const { feed, step, events, connection } = useFeed(token, board);
  if (connection.error && !step) return html`<${Frame}><${Gone} error=${connection.error} /></${Frame}>`;
  if (!step) return html`<${Frame}><p role="status">One moment …</p></${Frame}>`;
  return html`<${Frame} wide><${TableView} ...${{ token, feed, step, events, connection, board }} /></${Frame}>`;
}

function TableView({ token, feed, step, events, connection, board }) {
  const { scene } = step;
  const rests = scene.deal_end !== null && scene.over === null;
  const [open, setOpen] = useState(null);
  const [said, setSaid] = useState(null);
  const [hears] = useSetting(HEARS, true);
  const [four] = useSetting("four-colours", false);
  const [order, setOrder] = useSetting(`order-${scene.game.name}`, "game");
  const say = (error) => setSaid({ words: error.message, bad: true });
  const hint = useHint(feed, scene);
  const act = { ...useActs(scene, conversation(feed, setSaid)), advice: hint.advice };
  useForced(act, events);
  useTitle(scene);
  useEffect(() => {
    const { name, title } = scene.game;
    remember({ link: `/t/${token}`, game: name, title, watching: scene.seat === null });
  }, [token]);
  useEffect(() => {
    const last = step.events.findLast((event) => event.kind === "phrase" && event.seat !== scene.seat);
    if (last && hears && step.before) setSaid({ words: told(last, scene.seats, scene.seat) });
  }, [step]);
  const hand = order === "game" ? laidOut(scene) : sorted(scene.hand, order);
  const turn = () =>
    setOrder({ game: "rank", rank: hasSuits(scene.hand) ? "suit" : "game", suit: "game" }[order]);
  const undo = () => feed.act("undo").catch(say);
  const page = useRef(null);
  useKeys({ ...windowKeys(scene, setOpen), ...focusKeys(page), ...commandKeys({ scene, act, hint, undo, turn, setSaid }) });
  useKeptFocus(page, act.decision?.number, scene.hand.some(({ id }) => act.lit.has(id)));
  const links = useMemo(() => madeHere(`/t/${token}`), [token]);
  const ended = rests && html`<${DealEnd} key=${scene.deal_end.number} scene=${scene} feed=${feed} say=${say} />`;
  return html`<div
    ref=${page}
    class=${`table-page ${four ? "four-colours" : ""}`}
    data-decision=${act.decision?.number}
    data-number=${scene.number}
    data-rest=${rests ? scene.deal_end.number : undefined}
    data-over=${scene.over ? "" : undefined}
  >
    <div class="play">
      <${Toolbar} ...${{ scene, open: setOpen, hint, undo, turn }} />
      <${Connection} ...${connection} />
      <${UndoBar} scene=${scene} feed=${feed} say=${say} />
      <${FriendsBar} ...${{ scene, feed, links, say }} open=${() => setOpen("friends")} />
      <${NameAsked} scene=${scene} feed=${feed} />
      <${Board} scene=${scene} act=${act} hand=${hand} before=${step.before} sweep=${step.sweep} box=${board} calls=${scene.trick ? [] : callsOf(events)}>
        ${rests ? ended : !scene.over && html`<${Actions} scene=${scene} act=${act} />`}
      </${Board}>
      ${scene.seat === null && rests && ended}
      ${scene.over && html`<${Over} scene=${scene} feed=${feed} say=${say} />`}
      ${scene.seat === null && !scene.over && !rests && html`<${Actions} scene=${scene} act=${act} />`}
      <div class="below">
        <div class="words">
          <${HintWords} advice=${hint.advice} />
          <p class=${`said ${said?.bad ? "bad" : ""}`} role="status">${said?.words}</p>
          ${act.decision && scene.claim !== null && html`<${Claim} scene=${scene} act=${act} />`}
        </div>
        ${act.decision && html`<${AllChoices} key=${act.decision.number} decision=${act.decision} act=${act} />`}
      </div>
    </div>
    <aside class="side-panel">
      <section class="panel">
        <h2>Log</h2>
        <${Log} events=${hears ? events : events.filter(({ kind }) => kind !== "phrase")} opening=${scene.opening} scene=${scene} />
      </section>
      <section class="panel">
        <h2>Scores</h2>
        <${Standings} scene=${scene} open=${() => setOpen("scores")} />
      </section>
    </aside>
    <${TableDialog} name=${open} close=${() => setOpen((now) => (now === open ? null : now))} scene=${scene} feed=${feed} links=${links} />
  </div>`;
}

/** What is sent to the table, and what is said to the person when that fails. */
function conversation(feed, setSaid) {
  const say = (error) => setSaid({ words: error.message, bad: true });
  const decide = async (command, body) => {
    setSaid(null);
    try {
      await feed.act(command, body);
      return true;
    } catch (error) {
      if (error.code !== "stale") say(error);
      return error.code === "stale";
    }
  };
  return {
    choose: (number, option) => decide("choose", { number, option }),
    reconsider: (number) => decide("reconsider", { number }),
    claim: (number) => decide("claim", { number }),
    why: async (card, picking) => {
      const fits = picking ? "This card does not go with what you have picked." : "This card can be played.";
      try {
        const { why } = await feed.act("why", { card });
        setSaid({ words: why ? `Not this card: ${why}.` : fits });
      } catch (error) {
        say(error);
      }
    },
  };
}

function windowKeys(scene, setOpen) {
  return {
    r: () => setOpen("rules"),
    t: () => setOpen("last"),
    s: () => setOpen("scores"),
    m: () => talks(scene) && setOpen("say"),
    p: () => setOpen("settings"),
    f: () => setOpen("friends"),
    "?": () => setOpen("keys"),
  };
}

function focusKeys(page) {
  const go = (selector) => () => page.current.querySelector(selector)?.focus();
  return {
    c: go(HAND),
    a: go(`${CHOICES}, .actions button`),
    l: go(".log"),
    n: () => page.current.querySelector(".deal-end button.primary")?.click(),
  };
}

function commandKeys({ scene, act, hint, undo, turn, setSaid }) {
  return {
    h: hint.toggle,
    k: act.claim,
    u: () => (act.kept ? act.reconsider() : scene.undo.possible && undo()),
    o: turn,
    w: () => {
      const card = document.activeElement?.dataset.face;
      if (card !== undefined && !act.lit.has(Number(card))) act.why(Number(card));
    },
    Escape: () => {
      act.clear();
      hint.clear();
      setSaid(null);
    },
  };
}

/** Says that the connection is lost, or why it will not come back. */
function Connection({ live, error }) {
  const lost = "The connection is lost. It is being taken up again; nothing is lost at the table.";
  return html`<p class=${`connection ${live ? "" : "lost"}`} role="status">${live ? "" : (error?.message ?? lost)}</p>`;
}

function Gone({ error }) {
  return html`<h1>There is no table here</h1>
    <p class="notice error">${error.message}</p>
    <p><a class="button" href="/">All games</a></p>`;
}

function useTitle(scene) {
  useEffect(() => {
    const rests = scene.deal_end?.waiting_for.includes(scene.seat);
    const turn = scene.decision || scene.early?.chosen === null ? "Your turn · " : rests ? "Deal over · " : "";
    document.title = `${turn}${scene.game.title} · Cardwright`;
  }, [scene.decision?.number, scene.early?.chosen, scene.deal_end, scene.game.title]);
}
