// Where Python is typed, and what it says.

import { html, useEffect, useRef, useState } from "../dom.js";
import { begin, clear, end, enter, listen, session } from "./session.js";

const EXAMPLES = [
  ["Load a game", 'game = cardwright.Game.load("hearts")\ngame.players, len(game.cards), game.highest_wins'],
  ["Play a move", 'state = cardwright.Game.load("hearts").start(seed=1)\nprint(*state.options(), sep="\\n")\nstate.play(0)\nstate.player'],
  [
    "Simulate random games",
    `from collections import Counter

def winners(name, seed):
    state, chance = cardwright.Game.load(name).start(seed), cardwright.Stream(seed)
    while not state.finished:
        state.play(chance.below(state.option_count))
    return [f"p{seat + 1}" for seat, rank in enumerate(state.ranks) if rank == 0]

Counter(winner for seed in range(200) for winner in winners("agram", seed))`,
  ],
];

/** @param {{text: string}} props `text` stands where one types at first */
export function Console({ text: first }) {
  const [text, setText] = useState(first);
  const [, draw] = useState(0);
  const [said, setSaid] = useState("");
  const log = useRef(null);
  const input = useRef(null);
  const past = useRef(session.history.length);
  const columns = () => Math.max(40, Math.floor(log.current.clientWidth / widthOfLetter(log.current)) - 4);
  useEffect(() => {
    let waiting = 0;
    listen(() => {
      waiting ||= setTimeout(() => {
        waiting = 0;
        draw((count) => count + 1);
      }, 30); // also where the page is not seen, in which nothing is drawn otherwise
    });
    begin(columns());
    input.current.focus({ preventScroll: true });
    return () => listen(() => undefined);
  }, []);
  useEffect(() => {
    log.current.scrollTop = log.current.scrollHeight;
  }, [session.entries.at(-1)?.text.length, session.entries.length]);
  useEffect(() => fit(input.current), [text]);

  /** Put a text where one types, with the cursor at its end. */
  const put = (next) => {
    setText(next);
    input.current.value = next;
    input.current.focus();
    input.current.setSelectionRange(next.length, next.length);
  };
  const submit = async (event) => {
    event.preventDefault();
    await begin(columns());
    const source = input.current.value.replace(/^\$\s+(?=cardwright\b)/gm, "").replace(/^[ \t]+$/gm, "");
    if (session.busy || source.trim() === "") return;
    if (await enter(source, columns())) {
      put(`${input.current.value}\n${indentation(source)}`);
      setSaid("Python wants more lines; an empty one ends a block.");
      return;
    }
    setSaid("");
    if (session.history.at(-1) !== source.trimEnd()) session.history.push(source.trimEnd());
    past.current = session.history.length;
    put("");
  };
  const recall = (step) => {
    const at = past.current + step;
    if (at < 0 || at > session.history.length) return false;
    past.current = at;
    put(session.history[at] ?? "");
    return true;
  };
  const key = (event) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    if (event.isComposing || event.shiftKey || event.altKey || selectionStart !== selectionEnd) return;
    if (event.key === "Enter" && !event.ctrlKey) submit(event);
    else if (event.key === "ArrowUp" && !value.slice(0, selectionStart).includes("\n")) recall(-1) && event.preventDefault();
    else if (event.key === "ArrowDown" && !value.slice(selectionStart).includes("\n")) recall(1) && event.preventDefault();
    else if (event.key === "c" && event.ctrlKey && session.busy) end(columns());
  };

  return html`<h1>Python console</h1>
    <p class="prose soft">
      Python with Cardwright, in this page: nothing is sent anywhere. A line that begins with <code>cardwright</code> is a
      command, such as <code>cardwright check duel.rcy</code>; the rules in the studio are here as a file.
    </p>
    <div class="console panel">
      <div class="written" role="log" aria-label="What was run, and what it said" tabindex="0" ref=${log}>
        ${session.entries.map(
          ({ kind, text: words }, at) => html`<pre key=${at} class=${kind}>${kind === "in" ? prompted(words) : words}</pre>`,
        )}
      </div>
      <form onSubmit=${submit}>
        <span class="prompt" aria-hidden="true">${">>>"}</span>
        <label class="unseen" for="typed">Python, or a command</label>
        <textarea
          id="typed"
          ref=${input}
          rows="1"
          value=${text}
          spellcheck=${false}
          autocapitalize="off"
          autocomplete="off"
          enterkeyhint="go"
          aria-describedby="keys"
          onInput=${(event) => setText(event.currentTarget.value)}
          onKeyDown=${key}
        ></textarea>
        ${session.busy
          ? html`<button type="button" class="small" onClick=${() => end(columns())}>Stop</button>`
          : html`<button class="small primary">Run</button>`}
      </form>
    </div>
    <p class="small soft" role="status">
      ${session.busy ? (session.entries.length === 0 ? "Python is being loaded …" : "Python is running …") : said}
    </p>
    <p class="small soft" id="keys">
      <kbd>Enter</kbd> runs, <kbd>Shift</kbd> <kbd>Enter</kbd> begins a line, <kbd>↑</kbd> <kbd>↓</kbd> bring back what was
      typed. <em>Stop</em> ends a loop: Python then begins anew, and what was defined is gone.
    </p>
    <h2>To try</h2>
    <p class="row">
      ${EXAMPLES.map(([name, code]) => html`<button key=${name} onClick=${() => put(code)}>${name}</button>`)}
      <button class="quiet" onClick=${clear}>Clear the output</button>
    </p>`;
}

function prompted(words) {
  return words
    .split("\n")
    .map((line, at) => `${at === 0 ? ">>>" : "..."} ${line}`)
    .join("\n");
}

/** The spaces with which the line after a text begins. */
function indentation(text) {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  const before = /^ */.exec(line)[0];
  return line.trimEnd().endsWith(":") ? `${before}    ` : before;
}

/** Make a field as high as its text, within limits that the style sets. */
function fit(field) {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}

function widthOfLetter(element) {
  const canvas = document.createElement("canvas").getContext("2d");
  const { fontSize, fontFamily } = getComputedStyle(element);
  canvas.font = `${fontSize} ${fontFamily}`;
  return canvas.measureText("m").width;
}
