// The tables of this browser, kept where they outlive the page: the record of each under its id.

const STORE = "tables";

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("cardwright", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Keep a record, or forget it if it is null. @param {string} table @param {string | null} record */
export async function keep(table, record) {
  try {
    const store = (await opened()).transaction(STORE, "readwrite").objectStore(STORE);
    if (record === null) store.delete(table);
    else store.put(record, table);
  } catch {
    // A browser without storage forgets its tables with the page.
  }
}

/** @returns {Promise<string[]>} all records */
export async function kept() {
  try {
    const request = (await opened()).transaction(STORE).objectStore(STORE).getAll();
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return [];
  }
}
