/** A conversation's messages, or the replies to one, from a collection of the gateway. */
import { LiveCollection } from './live-collection.js';
import { isInConversation } from './message-source.js';

const PAGE = 50;

/** @implements {import('./message-source.js').MessageSource} */
export class CollectedMessages {
  #live;
  #sent = new Map(); // answers to sends whose events are not yet here
  #from; // the list that #items was made from
  #items = [];
  #ids = new Map();

  /** @param {{side: import('./sides.js').Side, thread: () => object, parent?: string, changed: () => void}} parts */
  constructor({ side, thread, parent, changed }) {
    Object.assign(this, { side, thread, parent, changed });
    this.belongs = parent ? (message) => message.parentId === parent : isInConversation;
    this.#live = new LiveCollection(side.collections, changed);
  }

  get items() {
    const { items } = this.#live.list;
    if (items !== this.#from) {
      this.#from = items;
      this.#ids = new Map(items.map((item) => [item.id, item]));
      for (const id of this.#sent.keys()) if (this.#ids.has(id)) this.#sent.delete(id);
      this.#items = undefined;
    }
    if (!this.#items) {
      const isSent = this.#sent.size > 0 && !this.hasNext;
      this.#items = isSent ? [...items, ...this.#sent.values()] : items;
    }
    return this.#items;
  }
  get pending() {
    return this.#live.list.pending ?? [];
  }
  get failed() {
    return this.#live.list.failed ?? [];
  }
  get loaded() {
    return this.#live.loaded;
  }
  get hasPrevious() {
    return this.#live.hasPrevious;
  }
  get hasNext() {
    return this.#live.hasNext;
  }
  get collectionId() {
    return this.#live.id;
  }
  has(id) {
    return this.get(id) !== undefined;
  }
  get(id) {
    void this.items;
    return this.#ids.get(id) ?? this.#sent.get(id) ?? [...this.pending, ...this.failed].find((one) => one.id === id);
  }

  async open({ at } = {}) {
    const viewpoint = at === 'first' ? 0 : at === 'newest' ? undefined : at;
    await this.#live.open({
      kind: 'messages',
      ...this.side.named(this.thread()),
      limit: PAGE,
      ...(this.parent && { parentId: this.parent }),
      ...(viewpoint !== undefined && { viewpoint }),
    });
  }

  /** The stream has begun anew. */
  expectSync() {
    this.#live.expectSync();
  }

  isFetching(direction) {
    return this.#live.isFetching(direction);
  }

  fetch(direction) {
    return this.#live.fetch(direction);
  }

  take(event) {
    if (event.type.startsWith('collection.')) return this.#live.take(event);
    if (event.type === 'message.removed') this.drop(event.data.messageId);
  }

  isNews(message) {
    return this.loaded && !this.#live.first.has(message.id);
  }

  upsert(message) {
    // Events alone change the list; but what was just sent must not vanish between the answer and its event.
    if (!this.belongs(message) || this.#ids.has(message.id) || this.#known(message.id)) return;
    this.#sent.set(message.id, message);
    this.#items = undefined;
    this.changed();
  }

  drop(id) {
    if (this.#sent.delete(id)) this.#items = undefined;
  }

  abandon() {
    this.#live.abandon();
  }

  close() {
    this.#live.close();
  }

  #known(id) {
    return this.#live.list.items.some((item) => item.id === id);
  }
}
