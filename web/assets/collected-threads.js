/** The lists of conversations, one collection for each state that was asked for. */
import { LiveCollection } from './live-collection.js';

const PAGE = 50;

export class CollectedThreads {
  #lists = new Map(); // state -> LiveCollection

  /** @param {object} api  `session.collections` @param {(state: string) => object} query  more for a list
   *  @param {(threads: object[]) => void} known  called with what is new */
  constructor(api, query, known) {
    Object.assign(this, { api, query, known });
  }

  isLoaded(state) {
    return this.#lists.get(state)?.loaded ?? false;
  }
  hasMore(state) {
    return this.#lists.get(state)?.hasNext ?? false;
  }
  items(state) {
    return this.#lists.get(state)?.list.items ?? [];
  }

  async open(state) {
    const changed = (event) => this.known(event ? (event.data.items ?? []) : list.list.items);
    const list = this.#lists.get(state) ?? new LiveCollection(this.api, changed);
    this.#lists.set(state, list);
    const of = state === 'hidden' ? { state: 'all', hidden: 'hidden' } : { state }; // unless the query says another
    await list.open({ kind: 'threads', query: { ...of, limit: PAGE, ...this.query(state) } });
  }

  /** Everything anew; lists other than `state` when they are shown next. */
  async reload(state) {
    for (const [other, list] of [...this.#lists]) {
      if (other === state) continue;
      list.close();
      this.#lists.delete(other);
    }
    if (state !== undefined) await this.open(state);
  }

  fetch(state) {
    return this.#lists.get(state)?.fetch('next');
  }

  /** The stream has begun anew. */
  expectSync() {
    for (const list of this.#lists.values()) list.expectSync();
  }

  take(event) {
    for (const list of this.#lists.values()) list.take(event);
  }

  abandon() {
    for (const list of this.#lists.values()) list.abandon();
  }

  close() {
    for (const list of this.#lists.values()) list.close();
  }
}
