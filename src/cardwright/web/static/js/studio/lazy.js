// Parts of the page that are loaded when they are first shown.

import { html, useEffect, useState } from "../dom.js";

/**
 * @param {{load: () => Promise<any>, name: string, shown: boolean} & Record<string, any>} props `load` imports
 *   the module that exports the part of this name; all else is for the part
 */
export function Lazy({ load, name, shown, ...props }) {
  const [found, setFound] = useState(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!shown || found) return;
    setFailed(false);
    load().then((module) => setFound(() => module[name]), () => setFailed(true));
  }, [shown]);
  if (found) return html`<${found} shown=${shown} ...${props} />`;
  if (!shown) return null;
  return failed
    ? html`<p class="notice error" role="alert">This part could not be loaded. Is the server still running?</p>`
    : html`<p role="status">One moment …</p>`;
}
