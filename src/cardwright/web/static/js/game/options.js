// The options of a game as fields of a form.

import { html } from "../dom.js";

/**
 * @typedef {{name: string, about: string, kind: "number" | "name" | "truth" | "names" | "range",
 *   default: number | string | boolean, derived: boolean, values: (number | string)[] | null,
 *   least: number | null, most: number | null}} GameOption
 */

/**
 * @param {{options: GameOption[], values: Record<string, any>, usual: Record<string, any>,
 *   change: (name: string, value: any) => void}} props `values` are those in force, `usual` those without changes
 */
export function OptionFields({ options, values, usual, change }) {
  return html`<div class="options">
    ${options
      .filter((option) => !option.derived)
      .map(
        (option) =>
          html`<div key=${option.name} class=${`field ${values[option.name] === usual[option.name] ? "" : "changed"}`}>
            <label for=${`option-${option.name}`}>
              <span>${option.about || option.name}</span> <code class="soft">${option.name}</code>
            </label>
            <${Field} option=${option} value=${values[option.name]} change=${(value) => change(option.name, value)} />
          </div>`,
      )}
  </div>`;
}

function Field({ option, value, change }) {
  const id = `option-${option.name}`;
  if (option.kind === "truth" || isSwitch(option)) {
    const [off, on] = option.kind === "truth" ? [false, true] : [0, 1];
    return html`<select id=${id} value=${String(value)} onChange=${(event) => change(event.currentTarget.value === String(on) ? on : off)}>
      <option value=${String(on)}>yes (${String(on)})</option>
      <option value=${String(off)}>no (${String(off)})</option>
    </select>`;
  }
  if (option.values && option.kind !== "names") {
    return html`<select
      id=${id}
      value=${String(value)}
      onChange=${(event) => change(option.kind === "number" ? Number(event.currentTarget.value) : event.currentTarget.value)}
    >
      ${option.values.map((one) => html`<option key=${one} value=${String(one)}>${String(one)}</option>`)}
    </select>`;
  }
  if (option.kind === "number") {
    return html`<input
      id=${id}
      type="number"
      step="1"
      min=${option.least}
      max=${option.most}
      value=${value}
      onChange=${(event) => event.currentTarget.value !== "" && change(Math.round(Number(event.currentTarget.value)))}
    />`;
  }
  return html`<input id=${id} value=${value} onChange=${(event) => change(event.currentTarget.value)} />
    ${option.values && html`<span class="help">any of ${option.values.join(", ")}, with commas between</span>`}`;
}

/** Whether a number only says yes or no. */
function isSwitch(option) {
  const both = option.values?.length === 2 && option.values.includes(0) && option.values.includes(1);
  return both && /^1 if |\b1 or 0\b|^whether /i.test(option.about);
}
