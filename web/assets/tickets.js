/**
 * Addresses for pictures and links: a browser requests those without headers, so each has a ticket that is good for some
 * minutes. All that are asked for at the same time are one request.
 */
const MOST = 50; // of one request
const GOOD = 9 * 60_000; // milliseconds; a ticket is good for ten minutes at least

export class Tickets {
  #ask;
  #known = new Map(); // path -> {url, until}: of the page's own clock, which nobody sets
  #asked = new Map(); // path -> promise of the same
  #waiting = [];

  /** @param {(body: {paths: string[]}) => Promise<{items: {path: string, url: string}[]}>} ask */
  constructor(ask) {
    this.#ask = ask;
  }

  /** The address with a ticket, which is good for a minute or more.
   *  @param {string} address  without one
   *  @returns {Promise<{url: string, until: number}>} */
  get(address) {
    const { pathname, search } = new URL(address, location.href);
    const path = pathname + search;
    const known = this.#known.get(path);
    if (known && performance.now() < known.until) return Promise.resolve(known);
    const running = this.#asked.get(path) ?? new Promise((resolve, reject) => this.#add({ path, resolve, reject }));
    this.#asked.set(path, running);
    return running;
  }

  #add(wish) {
    if (this.#waiting.push(wish) === 1) queueMicrotask(() => this.#fetch());
  }

  async #fetch() {
    const wishes = this.#waiting.splice(0);
    const until = performance.now() + GOOD;
    this.#forget();
    for (let at = 0; at < wishes.length; at += MOST) {
      const part = wishes.slice(at, at + MOST);
      try {
        const { items } = await this.#ask({ paths: part.map(({ path }) => path) });
        for (const { path, url } of items) this.#known.set(path, { url, until });
        for (const { path, resolve } of part) resolve(this.#known.get(path));
      } catch (error) {
        for (const { reject } of part) reject(error);
      } finally {
        for (const { path } of part) this.#asked.delete(path);
      }
    }
  }

  /** Those that have ended: a page may be open for days. */
  #forget() {
    for (const [path, { until }] of this.#known) if (until < performance.now()) this.#known.delete(path);
  }
}

/** Gives a link its address, and another one whenever it is about to be used and the old one has ended.
 *  @param {HTMLAnchorElement} link @param {() => Promise<{url: string, until: number}>} get
 *  @param {(url: string) => void} [shown]  called with the first address
 *  @returns {() => void}  asks again: what the link leads to is another */
export function keepTicket(link, get, shown) {
  let until = 0;
  let last; // what was asked last counts, whatever is answered last
  const renew = async () => {
    until = 0;
    const asked = (last = get());
    const ticket = await asked;
    if (asked !== last) return;
    link.href = ticket.url;
    until = ticket.until;
    shown?.(ticket.url);
    shown = undefined;
  };
  const renewQuietly = () => void renew().catch(() => {}); // the click asks again
  for (const type of ['pointerenter', 'focus']) link.addEventListener(type, renewQuietly);
  link.addEventListener('click', async (event) => {
    if (performance.now() < until) return;
    event.preventDefault();
    await renew();
    link.click();
  });
  renewQuietly();
  return renewQuietly;
}
