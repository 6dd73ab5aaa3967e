// Keeps the page where it needs no network: a service worker. VERSION and FILES stand before this.

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});

addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  };
  event.waitUntil(old().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const found = caches.match(event.request, { ignoreSearch: true });
  event.respondWith(found.then((kept) => kept ?? fetch(event.request)));
});
