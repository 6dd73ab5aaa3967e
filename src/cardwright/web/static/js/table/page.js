// The page of a table: it follows the table of its link and lets its seat play.

import { html, show } from "../dom.js";
import { LiveTable } from "./live.js";

const token = decodeURIComponent(location.pathname.split("/").at(-1));
show(html`<${LiveTable} token=${token} />`);
