// A game that was played, move by move; without one, the form that takes a saved game.

import { html, show } from "../dom.js";
import { Frame } from "../frame.js";
import { Replay } from "./replay.js";
import { Upload } from "./upload.js";

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
show(html`<${Frame} wide=${id !== ""} current=${id === "" ? "/replay" : undefined}>
  ${id === "" ? html`<${Upload} />` : html`<${Replay} id=${id} />`}
<//>`);
