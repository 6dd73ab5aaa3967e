// Sets the colours that were chosen before anything is drawn, so that no page flashes, and marks a page
// that is shown in another one's frame. A classic script: modules run too late for this.
(() => {
  if (self !== top) document.documentElement.dataset.framed = "";
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the colours follow the system.
  }
})();
