"use strict";
/* Tables whose rows are sorted by a click on a header; a second click reverses the order. */
const sortable = () => {
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const buttons = table.querySelectorAll("thead button[data-key]");
    for (const button of buttons) {
      button.addEventListener("click", () => {
        const key = button.dataset.key;
        const now = button.dataset.order;
        const first = "down" in button.dataset ? "descending" : "ascending";
        const second = first === "ascending" ? "descending" : "ascending";
        const order = now === first ? second : first;
        for (const other of buttons) delete other.dataset.order;
        for (const head of table.tHead.querySelectorAll("th")) head.removeAttribute("aria-sort");
        button.dataset.order = order;
        button.closest("th").setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const text = "text" in button.dataset;
        const compare = (one, other) => {
          const [a, b] = [one.dataset[key], other.dataset[key]];
          if (text) return sign * a.localeCompare(b);
          const [x, y] = [Number(a), Number(b)];
          if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
          return sign * (x - y);
        };
        body.append(...Array.from(body.rows).sort(compare));
      });
    }
  }
};
sortable();
document.addEventListener("renewed", sortable); // see live.js
