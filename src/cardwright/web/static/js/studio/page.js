// The page of the studio: an editor of rules, and beside it the table that plays them.

import { Frame } from "../frame.js";
import { html, useCallback, useEffect, useRef, useSetting, useState } from "../dom.js";
import { ask } from "../api.js";
import { place, rename } from "../place.js";
import { Checker } from "./checker.js";
import { draft, draftBefore, keepBefore, keepDraft } from "./drafts.js";
import { Divider } from "./divider.js";
import { Editor } from "./editor.js";
import { Lazy } from "./lazy.js";
import { Play } from "./play.js";
import { Problems, counted } from "./problems.js";
import { Tabs } from "./tabs.js";

/** What the modules of the tabs export. */
const PARTS = { statistics: "Statistics", flow: "Flow", facts: "Facts", help: "Help" };

const EMPTY = { found: null, failed: "" };

function Studio({ first, note }) {
  const host = useRef(null);
  const desk = useRef(null);
  const [name, setName] = useState(first.name);
  const [checked, setChecked] = useState(EMPTY);
  const [said, setSaid] = useState(note);
  const [tab, setTab] = useState("play");
  const [starting, setStarting] = useState(false);
  const [shared, setShared] = useState("");
  const [order, setOrder] = useState(null);
  const [good, setGood] = useState(null);
  const [explained, setExplained] = useState(null);
  const [file, setFile] = useState(first.file ?? null);
  const [share, setShare] = useSetting("studio.share", 50);
  const arriving = useRef(false);
  const now = useRef({});
  Object.assign(now.current, { name, file });

  useEffect(() => {
    const keep = () => keepDraft({ ...now.current, text: editor.text });
    let timer = 0;
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, 300);
      checker.soon();
    };
    const keys = {
      "Mod-Enter": () => desk.current.play(),
      F6: () => desk.current.toPanel(),
      "Mod-.": () => desk.current.fixHere(),
      F1: () => desk.current.explain(),
      "Shift-Alt-f": () => desk.current.format(),
      "Mod-s": () => desk.current.save(),
    };
    const editor = new Editor(host.current, first.text, { changed, keys, fix: (one) => desk.current.fix(one) });
    const checker = new Checker(
      () => editor.text,
      ({ text, found, error }) => {
        if (error) {
          setChecked((before) => ({ ...before, failed: error.message }));
          return;
        }
        if (editor.text === text) editor.show(found.diagnostics, found.names);
        setChecked({ found, text, failed: "" });
        if (found.ok) setGood({ text, game: found.game });
      },
    );
    desk.current = { editor, checker, keep };
    checker.soon(0);
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, []);

  /** Do something that can fail, and say so. */
  const trying = (work) => async (...given) => {
    try {
      await work(...given);
    } catch (error) {
      setSaid(error.message);
    }
  };

  const load = useCallback((next) => {
    const { editor, keep } = desk.current;
    keepBefore({ ...now.current, text: editor.text });
    editor.replace(next.text);
    setName(next.name);
    setFile(next.file ?? null);
    Object.assign(now.current, { name: next.name, file: next.file ?? null });
    keep();
    setSaid(`${next.name} is here; Undo brings back what was there before.`);
    arriving.current = true;
  }, []);

  const { found } = checked;
  /** Check the rules, and go to the first error if there is one. */
  const right = async () => {
    const { editor, checker } = desk.current;
    const seen = await checker.now();
    if (seen.ok) return seen;
    const errors = seen.diagnostics.filter((one) => one.severity === "error");
    setSaid(`${counted({ errors: seen.counts.errors })}: mend them first, then the game can be played.`);
    if (errors.length > 0) editor.go(errors[0].from, errors[0].to);
    return null;
  };
  Object.assign(desk.current ?? {}, {
    play: trying(async () => {
      const { text } = desk.current.editor;
      const seen = await right();
      if (!seen) return;
      setSaid("");
      setTab("play");
      setOrder((before) => ({ text, players: seen.game.players, count: (before?.count ?? 0) + 1 }));
    }),
    /** Take a fix, if the text is still that to which it belongs. */
    fix: trying(async (one) => {
      const { editor, checker } = desk.current;
      if (checker.last?.text !== editor.text) {
        await checker.now();
        setSaid("The rules had changed meanwhile: choose the fix again.");
        return;
      }
      editor.apply(one.edits);
      setSaid(`Done: ${one.title}.`);
      await checker.now();
    }),
    /** Write another value of a constant into the rules, unless they would be wrong then. */
    change: trying(async (constant, value) => {
      const { editor, checker } = desk.current;
      if (value === constant.value) return;
      if (!/^(-?\d+|[A-Z][A-Z0-9_]*)$/.test(value)) {
        setSaid(`${constant.name} is a whole number or a word in capitals.`);
        return;
      }
      const { from, to } = constant;
      editor.apply([{ from, to, insert: value }]);
      const seen = await checker.now();
      if (seen.ok) setSaid(`${constant.name} is ${value} now.`);
      else {
        editor.apply([{ from, to: from + value.length, insert: constant.value }]);
        setSaid(`${constant.name} cannot be ${value}: ${seen.diagnostics.find((one) => one.severity === "error").message}`);
      }
    }),
    fixHere: trying(async () => {
      const { editor, checker } = desk.current;
      const seen = await checker.now();
      const here = editor.cursor;
      const line = (one) => one.from <= here && here <= one.to;
      const one = seen.diagnostics.find((each) => line(each) && each.fixes.length > 0);
      if (one) await desk.current.fix(one.fixes[0]);
      else setSaid("There is no fix at the cursor: F8 goes to the next problem.");
    }),
    fixAll: trying(async () => {
      const { editor, checker } = desk.current;
      const text = editor.text;
      const { edits } = await ask("/api/studio/mend", { body: { source: text } });
      if (editor.text !== text) return;
      editor.apply(edits);
      setSaid(edits.length > 0 ? "Mended what is sure to be a slip; Undo takes it back." : "Nothing is sure to be a slip: look at the problems one by one.");
      await checker.now();
    }),
    format: trying(async () => {
      const { editor } = desk.current;
      const text = editor.text;
      const { edits, refused } = await ask("/api/studio/format", { body: { source: text } });
      if (editor.text !== text) return;
      editor.apply(edits);
      setSaid(refused || (edits.length > 0 ? "Laid out." : "It is laid out already."));
    }),
    explain: trying(async () => {
      const { editor } = desk.current;
      const { explanation } = await import("./assistance.js");
      const about = await explanation(editor.view.state, editor.cursor);
      setTab("help");
      setExplained(about?.explanation ?? "");
    }),
    save: trying(async () => {
      const { editor, keep } = desk.current;
      const { name: called, file: given } = now.current;
      if (!given) {
        const { saveRules } = await import("./files.js");
        saveRules(called, editor.text);
        setSaid(`Downloaded ${called}.rcy.`);
        return;
      }
      const body = { source: editor.text, digest: given.digest };
      const { digest } = await ask(`/api/studio/files/${given.number}`, { body });
      const saved = { ...given, digest };
      Object.assign(now.current, { file: saved });
      setFile(saved);
      keep();
      setSaid(`Saved ${called}.rcy.`);
    }),
    publish: trying(async () => {
      const { text } = desk.current.editor;
      if (!(await right())) return;
      setSaid("The page is being made …");
      const { publish } = await import("./publish.js");
      setSaid(`Downloaded ${await publish(now.current.name, text)}: a page that plays these rules, to open or to send.`);
    }),
    share: trying(async () => {
      const { sharedLink } = await import("./share.js");
      setShared(await sharedLink(now.current.name, desk.current.editor.text));
    }),
    toPanel: () => {
      const frame = document.querySelector(".playing iframe");
      if (tab === "play" && frame) frame.contentWindow.focus(), frame.focus();
      else document.getElementById(`panel-${tab}`)?.focus();
    },
    toEditor: () => desk.current.editor.focus(),
    goToLine: (line, column) => desk.current.editor.goToLine(line, column),
  });
  // After the dialog has gone, which gives the focus back.
  useEffect(() => {
    if (starting || !arriving.current) return;
    arriving.current = false;
    desk.current.editor.focus();
  }, [starting]);
  useEffect(() => {
    const back = (event) => {
      if (event.key !== "F6" || event.defaultPrevented) return;
      event.preventDefault();
      desk.current.toEditor();
    };
    addEventListener("keydown", back);
    return () => removeEventListener("keydown", back);
  }, []);

  const call = (what) => (...given) => desk.current[what](...given);
  const goToLine = call("goToLine");
  const fitting = good && found?.ok ? good.text : null;
  const part = (key, title, load, props) => {
    const content = html`<${Lazy} load=${load} name=${PARTS[key]} shown=${tab === key} ...${props} />`;
    return { key, name: title, content };
  };
  const tabs = [
    { key: "play", name: "Table", content: html`<${Play} order=${order} now=${checked.text} play=${call("play")} goToLine=${goToLine} back=${call("toEditor")} />` },
    part("statistics", "Statistics", () => import("./statistics.js"), { text: fitting, goToLine }),
    part("flow", "Flow", () => import("./flow.js"), { text: fitting, goToLine }),
    part("facts", "Game", () => import("./facts.js"), { game: good?.game, stale: fitting === null, change: call("change") }),
    part("help", "Help", () => import("./help.js"), { explanation: explained }),
  ];
  return html`<div class="studio" style=${`--share: ${share}%`}>
    <h1 class="unseen">Studio</h1>
    <section class="rules" aria-label="Rules">
      <div class="row bar" role="group" aria-label="The rules">
        <label class="name">
          <span class="unseen">Name of the rules</span>
          <input value=${name} maxlength="60" spellcheck=${false} onInput=${(event) => setName(event.target.value)} onBlur=${call("keep")} />
        </label>
        <button class="small" onClick=${() => setStarting(true)}>Begin with …</button>
        <button class="small" onClick=${call("format")}>Lay out</button>
        <button class="small" onClick=${call("fixAll")} disabled=${!found || found.counts.errors === 0}>Mend slips</button>
        <button class="small" onClick=${call("save")}>${file ? "Save" : "Download"}</button>
        <button class="small" onClick=${call("share")}>Share</button>
        <button class="small" onClick=${call("publish")}>Publish</button>
        <button class="small primary" onClick=${call("play")} aria-keyshortcuts="Control+Enter">Play</button>
      </div>
      <div class="editor" ref=${host}></div>
      <p class="said" role="status">${said}</p>
      <section class="found" aria-label="Problems" tabindex="0">
        <h2>Problems <span class="tag" role="status">${found ? counted(found.counts) : "checking"}</span></h2>
        <${Problems}
          diagnostics=${found?.diagnostics ?? null}
          failed=${checked.failed}
          go=${(place) => desk.current.editor.go(place.from, place.to)}
          fix=${call("fix")}
        />
      </section>
    </section>
    <${Divider} share=${share} change=${setShare} />
    <section class="beside" aria-label="What the rules do">
      <${Tabs} label="What the rules do" tabs=${tabs} shown=${tab} show=${setTab} />
    </section>
    ${shared && html`<${Lazy} load=${() => import("./share.js")} name="ShareDialog" shown link=${shared} close=${() => setShared("")} />`}
    ${starting && html`<${Lazy} load=${() => import("./start.js")} name="Start" shown close=${() => setStarting(false)} take=${load} before=${draftBefore()} />`}
  </div>`;
}

/** What is in the editor at first: what the address asks for, else the last draft, else a file or an empty game. */
async function beginning() {
  const wanted = place().searchParams;
  const last = draft();
  const game = wanted.get("game");
  const number = wanted.get("file");
  const { hash } = place();
  rename("/studio");
  try {
    if (hash) {
      const { sharedRules } = await import("./share.js");
      const rules = await sharedRules(hash);
      if (rules) return await taken(last, rules);
    }
    if (game !== null) return await taken(last, await ask(`/api/studio/library/${encodeURIComponent(game)}?${wanted}`));
    if (number !== null) {
      const found = await ask(`/api/studio/files/${encodeURIComponent(number)}`);
      return await taken(last, found, { number: Number(number), digest: found.digest });
    }
    if (last) return { first: last, note: "" };
    const { name, source } = await ask("/api/studio/starts", { body: { kind: "empty" } });
    return { first: { name, text: source }, note: "" };
  } catch (error) {
    return { first: last ?? { name: "rules", text: "" }, note: error.message };
  }
}

/** Take rules in place of a draft, which stays to be brought back. */
function taken(last, { name, source }, file) {
  const other = last && last.text !== source;
  if (other) keepBefore(last);
  const note = other ? `What you had before, ${last.name}, is kept: Begin with … brings it back.` : "";
  return { first: { name, text: source, file }, note };
}

/** The studio, with the rules that the address names. */
export async function page() {
  const { first, note } = await beginning();
  return html`<${Frame} current="/studio" wide><${Studio} first=${first} note=${note} /></${Frame}>`;
}
