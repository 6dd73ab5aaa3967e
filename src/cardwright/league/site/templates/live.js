"use strict";
/* A season that is being played, on a server: new games are shown as they come, unless somebody is reading
   closely; then a button shows them. */
(() => {
  const WAIT = 5000;
  const PLACE = location.pathname.split("/").slice(0, 3).join("/"); // /seasons/NAME
  const note = document.getElementById("live");
  const judged = document.getElementById("judged");

  /* The game that is replayed here can also be replayed by the server, which judges moves. */
  const link = () => {
    const game = new URLSearchParams(location.hash.slice(1)).get("game");
    judged.hidden = !game;
    judged.href = `/replay/season.${PLACE.split("/")[2]}.${game}`;
  };
  if (judged) {
    link();
    for (const event of ["hashchange", "click", "keyup"]) addEventListener(event, link);
  }
  if (!note) return;

  const renewable = !/(games|replay)\.html$/.test(location.pathname);
  const busy = () =>
    document.querySelector("button[data-order]") !== null ||
    document.getElementById("main").contains(document.activeElement) ||
    !getSelection().isCollapsed;

  const renew = async () => {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    if (!answer.ok) return;
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("main").replaceChildren(...made.getElementById("main").childNodes);
    const fresh = made.getElementById("live");
    if (fresh) note.dataset.games = fresh.dataset.games;
    else clearInterval(timer);
    note.textContent = fresh?.textContent ?? "The season is over.";
    document.dispatchEvent(new Event("renewed"));
  };

  const offer = (text) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Show them";
    button.addEventListener("click", () => (renewable ? renew() : location.reload()));
    note.replaceChildren(`${text} `, button);
  };

  const look = async () => {
    try {
      const answer = await fetch(`/api${PLACE}`, { cache: "no-store" });
      if (!answer.ok) return;
      const season = await answer.json();
      const shown = Number(note.dataset.games);
      const more = season.shown - shown;
      if (more === 0 && !season.over) return;
      if (renewable && !busy()) await renew();
      else offer(more > 0 ? `${more} more games were played.` : "The season is over.");
    } catch {
      /* The server may be back at the next look. */
    }
  };
  const timer = setInterval(() => document.visibilityState === "visible" && look(), WAIT);
})();
