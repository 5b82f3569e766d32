/**
 * The messages of a conversation, or the replies to one of them, from pages and the events of the log: for a side whose
 * gateway keeps no collections. `CollectedMessages` is the same from a collection.
 *
 * @typedef {object} MessageSource
 * @property {readonly import('../parley.js').Message[]} items  ascending
 * @property {object[]} pending @property {object[]} failed  what the gateway has not yet sent on, or could not
 * @property {boolean} loaded @property {boolean} hasPrevious @property {boolean} hasNext
 * @property {(id: string) => boolean} has @property {(id: string) => object|undefined} get
 * @property {(start?: Start) => Promise<void>} open  begins anew; what there was stays until that is done
 * @property {(direction: 'previous'|'next') => Promise<void>} fetch
 * @property {(event: object) => void} take  of this thread, or of a collection
 * @property {(message: object) => boolean} isNews  of a `message.created`: whether it came after the opening
 * @property {(message: object) => void} upsert  an answer to a request @property {(id: string) => void} drop
 * @property {() => void} close
 *
 * @typedef {{at?: 'first'|'newest'|number, id?: string}} Start  `at`: a time in ms; `id`: the message that is meant
 */
import { MessageList } from './message-list.js';

const PAGE = 50;

/** @implements {MessageSource} */
export class PagedMessages {
  #list = new MessageList();
  #fresh; // the list that is being loaded; the one on show stays until it is there
  #running = new Set();
  #closed = false;
  pending = [];
  failed = [];

  /** @param {{side: import('./sides.js').Side, thread: () => object, parent?: string, changed: () => void}} parts
   *  `parent`: the message whose replies are meant */
  constructor({ side, thread, parent, changed }) {
    this.pages = parent ? new ReplyPages(side, thread, parent) : new ConversationPages(side, thread);
    this.belongs = parent ? (message) => message.parentId === parent : isInConversation;
    this.changed = changed;
  }

  get items() {
    return this.#list.items;
  }
  get loaded() {
    return this.#list.loaded;
  }
  get hasPrevious() {
    return Boolean(this.#list.older);
  }
  get hasNext() {
    return this.#list.hasNext;
  }
  has(id) {
    return this.#list.has(id);
  }
  get(id) {
    return this.#list.get(id);
  }

  async open(start = {}) {
    const fresh = new MessageList();
    this.#fresh = fresh;
    const page = await this.pages.first(start);
    if (this.#fresh !== fresh || this.#closed) return;
    fresh.reset(page);
    await this.pages.seek?.(fresh, start.id);
    if (this.#fresh !== fresh || this.#closed) return;
    this.#fresh = undefined;
    this.#list = fresh;
    this.changed();
  }

  isFetching(direction) {
    return this.#running.has(direction);
  }

  async fetch(direction) {
    const list = this.#list;
    if (this.#running.has(direction) || !(direction === 'next' ? list.hasNext : list.older)) return;
    this.#running.add(direction);
    try {
      const page = await this.pages.more(direction, list);
      direction === 'next' ? list.append(page) : list.prepend(page);
    } finally {
      this.#running.delete(direction);
      this.changed();
    }
  }

  take({ type, id, data }) {
    if (type === 'message.removed') {
      this.#each((list) => list.remove(data.messageId, id));
    } else if (type === 'thread.info') {
      this.#each((list) => list.get(data.parentId) && list.upsert(withReplyInfo(list.get(data.parentId), data.replyInfo), id));
    } else if ((type === 'message.created' || type === 'message.updated') && this.belongs(data.message)) {
      this.#each((list) => list.upsert(data.message, id));
    }
  }

  isNews(message) {
    return this.loaded && !this.has(message.id);
  }

  upsert(message) {
    if (this.belongs(message)) this.#each((list) => list.upsert(message));
  }

  drop(id) {
    this.#each((list) => list.remove(id));
  }

  close() {
    this.#closed = true;
  }

  #each(change) {
    change(this.#list);
    if (this.#fresh) change(this.#fresh);
  }
}

/** Whether the conversation's own list shows a message: a reply may be for its thread alone. */
export const isInConversation = (message) => !message.parentId || message.alsoInThread !== false;

/** A parent with what is said of its replies; the service's word, of which an older one is ignored. */
export function withReplyInfo(parent, info) {
  return parent.replyInfo && info && parent.replyInfo.updatedAt > info.updatedAt ? parent : { ...parent, replyInfo: info };
}

class ConversationPages {
  constructor(side, thread) {
    Object.assign(this, { side, thread });
  }

  first() {
    return this.side.page(this.thread(), { limit: PAGE });
  }

  more(_, list) {
    return this.side.page(this.thread(), { limit: PAGE, cursor: list.older });
  }

  /** There are no pages around a message: goes back to it, unless that is too far. */
  async seek(list, id) {
    for (let pages = 0; id && !list.has(id) && list.older && pages < 25; pages++) {
      list.prepend(await this.side.page(this.thread(), { limit: 200, cursor: list.older }));
    }
  }
}

class ReplyPages {
  constructor(side, thread, parent) {
    Object.assign(this, { side, thread, parent });
  }

  first({ at = 'newest' }) {
    if (at === 'newest') return this.#ask({ previous: PAGE, next: 0 });
    return this.#ask({ from: at === 'first' ? 0 : at, previous: PAGE / 2, next: PAGE / 2 });
  }

  /** From the edge on, which is asked for again: of messages with one time none is left out. */
  async more(direction, list) {
    const edge = direction === 'next' ? list.items.at(-1) : list.items[0];
    return this.#ask({ from: edge.createdAt, previous: direction === 'next' ? 0 : PAGE, next: direction === 'next' ? PAGE : 0 });
  }

  async #ask(query) {
    const { items, hasPrevious, hasNext, cursor } = await this.side.replies(this.thread(), this.parent, query);
    return { items: [...items].reverse(), next: hasPrevious ? 'more' : undefined, hasNext, cursor };
  }
}
