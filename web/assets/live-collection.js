/**
 * A collection of the gateway as an array that follows it: its events come on the shared stream. What cannot be followed (a gap,
 * a gateway that began anew) is made up for by a snapshot, or by another collection; what there was stays until that is there.
 */
import { applyCollectionEvent, newId, ParleyError } from '../parley.js';

const SYNC_PATIENCE = 1500;
const EMPTY = { version: 0, items: [], pending: [], failed: [] };

export class LiveCollection {
  #api;
  #changed;
  #definition;
  #opening; // marks the newest `open`
  #running = new Map(); // direction -> promise of a fetch
  #queue = Promise.resolve(); // one snapshot at a time
  #closed = false;
  #alarm; // until the stream has told where the collection stands
  #early; // events of collections that came while one is being made: perhaps its own
  #isNew = false; // made since the stream began

  /** @type {{version: number, items: object[], pending: object[], failed: object[]}} */
  list = EMPTY;
  id;
  loaded = false;
  hasPrevious = false;
  hasNext = false;
  /** The ids of its first page: later ones are news. */
  first = new Set();

  /** @param {object} api  as `heldBy` answers it @param {(event?: object) => void} changed */
  constructor(api, changed) {
    this.#api = api;
    this.#changed = changed;
  }

  /** Begins anew, and loads the first page: of messages on both sides of the viewpoint.
   *  @param {import('../parley.js').CollectionDefinition} definition */
  async open(definition) {
    this.#definition = definition;
    const mark = (this.#opening = {});
    const early = (this.#early = []);
    const making = this.#api.create({ ...definition, firstPage: true }, { key: newId() });
    const fresh = await making.finally(() => this.#early === early && (this.#early = undefined));
    if (this.#opening !== mark || this.#closed) return this.#delete(fresh.id);
    const old = this.id;
    this.#running.clear();
    // Events that come before the first page is complete are taken, but shown with it.
    this.id = fresh.id;
    const shown = { list: this.list, loaded: this.loaded };
    this.#next = fresh;
    this.#isNew = true;
    for (const event of early) this.take(event);
    try {
      // The gateway could not read the first page with it: ask for it, to learn why.
      if (!fresh.items.length && (fresh.hasPrevious || fresh.hasNext)) await this.#fetchFirst(fresh.id, definition);
      if (this.#opening !== mark) return;
      this.list = this.#next;
      this.first = new Set(this.list.items.map((item) => item.id));
      this.hasPrevious = this.list.hasPrevious ?? fresh.hasPrevious;
      this.hasNext = this.list.hasNext ?? fresh.hasNext;
      this.loaded = true;
    } catch (error) {
      if (this.#opening === mark && shown.loaded) this.#next = undefined;
      throw error;
    } finally {
      if (old && old !== this.id) this.#delete(old);
    }
    this.#next = undefined;
    this.#changed();
  }

  #next; // what is being opened, until its first page is there

  async #fetchFirst(id, { kind, viewpoint }) {
    const isFromStart = kind === 'threads' || viewpoint === 0;
    const directions = isFromStart ? ['next'] : viewpoint === undefined ? ['previous'] : ['previous', 'next'];
    for (const direction of directions) await this.#api.fetch(id, direction);
    // The answers may be faster than the events: the snapshot is what both lead to.
    const snapshot = await this.#api.get(id);
    if (this.id === id && snapshot.version >= this.#next.version) this.#next = snapshot;
  }

  /** Everything anew, as it was asked for: after a `reset`. */
  reopen() {
    return this.#definition && this.open(this.#definition);
  }

  /** Not at once: a thread that one has left is cleared too, and the event that closes this comes right behind. */
  #reopenSoon() {
    setTimeout(() => this.#closed || this.reopen().catch((error) => console.warn(error)), 20);
  }

  isFetching(direction) {
    return this.#running.has(direction);
  }

  /** @param {'previous'|'next'} direction */
  async fetch(direction) {
    const can = direction === 'next' ? this.hasNext : this.hasPrevious;
    if (!this.loaded || !can || this.#running.has(direction)) return;
    const { id } = this;
    const { version } = this.list;
    const running = this.#fetch(id, direction);
    this.#running.set(direction, running);
    try {
      await running;
      // Its event may still be on its way; if there is none for long, the stream has lost it.
      setTimeout(() => this.id === id && this.list.version === version && this.#resync(), 2000);
    } finally {
      if (this.#running.get(direction) === running) this.#running.delete(direction);
    }
  }

  async #fetch(id, direction) {
    try {
      const { hasMore } = await this.#api.fetch(id, direction);
      if (id !== this.id) return;
      if (direction === 'next') this.hasNext = hasMore;
      else this.hasPrevious = hasMore;
      this.#changed();
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'fetchInProgress') return;
      if (error instanceof ParleyError && error.status === 404) return void (await this.reopen());
      throw error;
    }
  }

  /** The stream has begun anew, and soon tells where this collection stands; or does not, because the page was away for so
   *  long that the gateway has given its place to another. */
  expectSync() {
    this.#isNew = false;
    clearTimeout(this.#alarm);
    if (this.id === undefined) return; // what is made from here on needs none
    this.#alarm = setTimeout(() => this.id !== undefined && this.#resync(), SYNC_PATIENCE);
  }

  /** @param {object} event  of any collection */
  take(event) {
    const { type, data } = event;
    if (this.#early && type.startsWith('collection.')) this.#early.push(event);
    if (data?.collectionId !== this.id || this.id === undefined) return;
    const list = this.#next ?? this.list;
    if (type === 'collection.sync') {
      clearTimeout(this.#alarm);
      const isFromBefore = this.#isNew && data.version < list.version; // told when it was made
      if (data.version !== list.version && !isFromBefore) this.#resync();
      return;
    }
    const next = applyCollectionEvent(list, event);
    if (next === list) return;
    if (next === undefined) return void this.#resync();
    if (this.#next) return void (this.#next = next);
    // What was on show stays until there is something else to show.
    if (type === 'collection.clear' || type === 'collection.hugeGap') return this.#reopenSoon();
    this.#noteEdges(list, event);
    this.list = next;
    this.#changed(event);
  }

  /** What leaves at an end (a view holds so many rows) can be fetched again; the same goes for news that did not fit. */
  #noteEdges(list, { type, data }) {
    if ((data.list ?? 'succeeded') !== 'succeeded') return;
    const gone = type === 'collection.remove' ? new Set(data.ids) : undefined;
    if (gone?.size > 1 && gone.has(list.items.at(-1)?.id)) this.hasNext = true;
    if (gone?.size > 1 && gone.has(list.items[0]?.id)) this.hasPrevious = true;
  }

  /** Takes it back at the gateway: the page is being left. `reopen` makes another. */
  abandon() {
    if (this.id) this.#delete(this.id);
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#alarm);
    this.#opening = undefined;
    if (this.id) this.#delete(this.id);
    this.id = undefined;
  }

  #resync() {
    const { id } = this;
    this.#queue = this.#queue.then(async () => {
      if (this.#closed || id !== this.id || this.#next) return;
      try {
        const snapshot = await this.#api.get(id);
        if (id !== this.id || this.#next) return;
        // An older one: the gateway has begun anew, and its view is empty.
        if (snapshot.version < this.list.version || (snapshot.version === 0 && this.loaded)) return void (await this.reopen());
        if (snapshot.version === this.list.version) return;
        this.list = snapshot;
        this.hasPrevious = snapshot.hasPrevious;
        this.hasNext = snapshot.hasNext;
        this.#changed();
      } catch (error) {
        if (error.status === 404) await this.reopen().catch((problem) => console.warn(problem));
        else console.warn(error);
      }
    });
  }

  #delete(id) {
    this.#api.delete(id).catch(() => {}); // it may be gone already; else the gateway gives its place away some time
  }
}

/** Collections that are kept for one page: for as long as a stream names it as their holder. @param {string} holder
 *  @param {object} api  as `heldBy` answers it, `desk.collections` */
export function heldBy(holder, side) {
  return {
    create: (definition, options) => side.collections.create({ ...definition, holder }, options),
    get: (id) => side.collection(id).get(),
    fetch: (id, direction) => side.collection(id).fetch(direction),
    delete: (id) => side.collection(id).delete(),
  };
}
