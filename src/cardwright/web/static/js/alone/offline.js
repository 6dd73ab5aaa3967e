// Keeps the page where it needs no network: a service worker. VERSION and FILES stand before this.
// Pages in other folders of the same host have caches of their own.

const CACHE = `${registration.scope} ${VERSION}`;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(`${registration.scope} `) && name !== CACHE) await caches.delete(name);
    }
  };
  event.waitUntil(old().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const found = caches.match(event.request, { ignoreSearch: true });
  event.respondWith(found.then((kept) => kept ?? fetch(event.request)));
});
