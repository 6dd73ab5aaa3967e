// What scrolls in itself can be reached by the keyboard: wide tables and long lines of code.
const reachable = () => {
  for (const one of document.querySelectorAll(".md-typeset__scrollwrap, pre > code, .output")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
  }
};
document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(reachable));
window.addEventListener("load", reachable);
window.addEventListener("resize", reachable);
