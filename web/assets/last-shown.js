/**
 * What a page showed last in this browser, so that it shows itself again before the gateway has answered: ids, and what one may
 * do there. No names of persons and no words of theirs: whoever is not signed in any more sees nothing of them.
 */
import { PLACE } from '../parley/page-half.js';

const PREFIX = 'parley.shown.';

export class LastShown {
  #name;
  #storage;

  /** @param {string} page @param {Pick<Storage, 'getItem'|'setItem'|'removeItem'>} [storage] */
  constructor(page, storage = globalThis.localStorage) {
    this.#name = PREFIX + page;
    this.#storage = storage;
  }

  /** @param {string|null} thread  the id in the page's address @returns {object|undefined}  what was kept with it */
  at(thread) {
    try {
      const kept = JSON.parse(this.#storage.getItem(this.#name));
      return thread && kept?.thread?.id === thread ? kept : undefined;
    } catch {
      return undefined; // written by nobody that we know
    }
  }

  /** Only a thread in which one may write: to others nobody hurries; and only for whoever is signed in. @param {object} thread @param {object} [more] */
  keep({ id, state, memberState, channel, customer }, more) {
    if (['pending', 'closed'].includes(state) || memberState === 'invited' || !this.#storage.getItem(PLACE)) return;
    // Whatever the gateway answers is newer.
    const thread = { id, state, channel, customer: customer && { id: customer.id }, updatedAt: '', isKept: true };
    try {
      this.#storage.setItem(this.#name, JSON.stringify({ thread, ...more }));
    } catch (error) {
      console.warn(error); // the browser has no room for it
    }
  }

  forget() {
    this.#storage?.removeItem(this.#name);
  }
}
