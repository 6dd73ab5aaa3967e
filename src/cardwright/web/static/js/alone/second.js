// A second worker with Python in it, which works for the one that has the site.

/** What `cardwright.web.second_worker` calls a `BrowserWorker`. */
export class Second {
  /** Whether it can be asked. */
  ready = false;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, {report: (line: string) => void, resolve: (answer: string | undefined) => void}>} */
  #asked = new Map();
  #begin;
  #count = 0;

  /** @param {{packed?: any}} begin what the first worker was told to begin with */
  constructor(begin) {
    this.#begin = begin;
  }

  begin() {
    if (this.#worker !== null) return;
    const { address = self.location.href, type = "module" } = this.#begin;
    this.#worker = new Worker(address, { type });
    this.#worker.onmessage = ({ data }) => this.#take(data);
    this.#worker.onerror = () => this.#lost();
    this.#worker.postMessage({ begin: { ...this.#begin, second: true } });
  }

  /** @returns {Promise<string | undefined>} */
  ask(module, request, report) {
    const id = (this.#count += 1);
    return new Promise((resolve) => {
      this.#asked.set(id, { report, resolve });
      this.#worker.postMessage({ id, work: [module, request] });
    });
  }

  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#lost();
  }

  #take({ ready, id, report, answer }) {
    if (ready !== undefined) this.ready = ready >= 1;
    else if (report !== undefined) this.#asked.get(id)?.report(report);
    else {
      this.#asked.get(id)?.resolve(answer);
      this.#asked.delete(id);
    }
  }

  /** It answers no more; if it has failed by itself, the work is done without it from now on. */
  #lost() {
    this.ready = false;
    for (const { resolve } of this.#asked.values()) resolve(undefined);
    this.#asked.clear();
  }
}
