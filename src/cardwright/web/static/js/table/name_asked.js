// What somebody is called who has come by the link of a seat without a name: asked once.

import { html, useState } from "../dom.js";
import { LONGEST_NAME, keepName, playerName } from "../invite/name.js";
import { others } from "./say.js";

/** @param {{scene: any, feed: import("./feed.js").Feed}} props */
export function NameAsked({ scene, feed }) {
  const [name, setName] = useState(playerName);
  const [done, setDone] = useState(false);
  const [said, setSaid] = useState("");
  const unnamed = scene.seat !== null && scene.seats[scene.seat].name === "You";
  if (done || !unnamed || scene.over || !others(scene)) return null;
  const save = async (event) => {
    event.preventDefault();
    try {
      await feed.act("name", { name: name.trim() });
      keepName(name.trim());
    } catch (error) {
      setSaid(error.message);
    }
  };
  return html`<form class="notice friends-bar" onSubmit=${save}>
    <label for="asked-name">What are you called?</label>
    <span class="row">
      <input id="asked-name" required maxlength=${LONGEST_NAME} autocomplete="nickname" value=${name} onInput=${(event) => setName(event.currentTarget.value)} />
      <button class="small">Tell the others</button>
      <button class="small quiet" type="button" onClick=${() => setDone(true)}>Not now</button>
      <span role="status">${said}</span>
    </span>
  </form>`;
}
