// The page of a table: it follows the table of its link and lets its seat play.

import { html } from "../dom.js";
import { pathPart } from "../place.js";
import { LiveTable } from "./live.js";

/** The table of the link that is the address. */
export const page = () => html`<${LiveTable} token=${pathPart(1)} />`;
