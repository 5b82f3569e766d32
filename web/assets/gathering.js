/**
 * The gateway, for a page that is being loaded: what it asks for at the same time travels as one request. On a slow line each
 * request costs a way there and back, and a browser opens few connections to one host.
 */
import { Parley } from '../parley.js';

const MOST = 20; // requests in one
const PAUSE = 8; // ms that a request waits for others: what follows from the same answer comes within that
const REST = 1000; // ms after the work: what is drawn at its end may need files, or is read

/** What a page asks for or says by itself. What its user does goes alone. */
const isOfLoad = (method, path) => path.startsWith('/v1/') && (['GET', 'PUT'].includes(method) || (method === 'POST' && /\/(collections|tickets|read)$/.test(path)));

export class GatheringParley extends Parley {
  #running = 0;
  #waiting = []; // {request, resolve, reject}

  get isGathering() {
    return this.#running > 0;
  }

  /** Gathers while the work runs, and a moment longer. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  async gathering(work) {
    this.#running++;
    try {
      return await work();
    } finally {
      setTimeout(() => this.#running--, REST);
    }
  }

  /** @type {Parley['request']} */
  request(method, path, options = {}) {
    const { signal, wait, keepalive, ...rest } = options;
    // What may end early or late has its own time, and what is said while the page goes is said at once.
    if (!this.#running || signal || wait || keepalive || !isOfLoad(method, path)) return super.request(method, path, options);
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ request: { method, path, ...rest }, resolve, reject }) === 1) setTimeout(() => this.#send(), PAUSE);
    });
  }

  #send() {
    const all = this.#waiting.splice(0);
    for (let at = 0; at < all.length; at += MOST) this.#sendPart(all.slice(at, at + MOST));
  }

  async #sendPart(part) {
    const [{ request, resolve, reject }] = part;
    if (part.length === 1) return void super.request(request.method, request.path, request).then(resolve, reject);
    try {
      const answers = await this.batch(part.map((one) => one.request));
      answers.forEach(({ status, value, reason }, at) => {
        const { request, resolve, reject } = part[at];
        if (status === 'fulfilled') resolve(value);
        // There was no room for it any more.
        else if (reason.status === 406) super.request(request.method, request.path, request).then(resolve, reject);
        else reject(reason);
      });
    } catch (error) {
      for (const one of part) one.reject(error);
    }
  }
}
