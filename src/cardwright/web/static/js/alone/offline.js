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
  event.respondWith(keptOf(event.request).then((kept) => kept ?? fetch(event.request)));
});

/** What is kept of an address, whatever stands behind its `?`. Told to ignore that, a cache would read all its keys. */
async function keptOf(request) {
  const address = new URL(request.url);
  address.search = "";
  const cache = await caches.open(CACHE);
  return request.method === "GET" ? cache.match(address.href) : undefined;
}
