/**
 * One open conversation: its loaded messages, what waits to be sent, who types. Knows nothing of the page; tells by `change`
 * that something is different, and by `arrived` (detail: the message) that the other side has written.
 */
import { MessageList } from './message-list.js';
import { Typists } from './typing.js';

const PAGE = 50;

export class Conversation extends EventTarget {
  #fresh; // the list that is being loaded; the one on show stays until it is there
  #loadingOlder = false;

  /** @param {{side: import('./sides.js').Side, thread: () => import('../parley.js').Thread, key: string,
   *           outbox: import('./outbox.js').Outbox}} parts */
  constructor({ side, thread, key, outbox }) {
    super();
    this.side = side;
    this.key = key;
    this.outbox = outbox;
    this.list = new MessageList();
    this.typists = new Typists(() => this.#changed());
    this.#thread = thread;
    this.leave = new AbortController();
    const { signal } = this.leave;
    outbox.addEventListener('change', () => this.#changed(), { signal });
    outbox.addEventListener('sent', ({ detail }) => this.#each((list) => list.upsert(detail)), { signal });
  }

  #thread;
  get thread() {
    return this.#thread();
  }

  /** Loads the newest page; what was loaded before is given up when it arrives. */
  async load() {
    const fresh = new MessageList();
    this.#fresh = fresh;
    const page = await this.side.page(this.thread, { limit: PAGE });
    if (this.#fresh !== fresh || this.leave.signal.aborted) return;
    fresh.reset(page);
    this.#fresh = undefined;
    this.list = fresh;
    for (const item of [...this.outbox.items]) if (fresh.has(item.id)) this.outbox.remove(item.id);
    this.#changed();
  }

  async loadOlder() {
    const { list } = this;
    if (this.#loadingOlder || !list.older) return;
    this.#loadingOlder = true;
    try {
      const page = await this.side.page(this.thread, { limit: PAGE, cursor: list.older });
      list.prepend(page);
    } finally {
      this.#loadingOlder = false;
      this.#changed();
    }
  }

  get isLoadingOlder() {
    return this.#loadingOlder;
  }

  /** @param {import('../parley.js').ParleyEvent} event  of this thread */
  take({ type, id, data }) {
    if (type === 'typing') {
      if (this.side.isOther(data.author)) this.typists.set(data.author, data.isTyping);
      return;
    }
    if (type === 'message.removed') {
      this.#each((list) => list.remove(data.messageId, id));
    } else if (type === 'message.created' || type === 'message.updated') {
      const { message } = data;
      const isNew = this.list.loaded && !this.list.has(message.id);
      this.#each((list) => list.upsert(message, id));
      this.outbox.remove(message.id);
      this.typists.set(message.author, false);
      if (isNew && type === 'message.created' && message.direction !== this.side.own) {
        this.dispatchEvent(new CustomEvent('arrived', { detail: message }));
      }
    }
    this.#changed();
  }

  /** Takes the answer to an edit or removal at once, without waiting for its event. */
  edited(message) {
    this.#each((list) => list.upsert(message));
    this.#changed();
  }

  removed(id) {
    this.#each((list) => list.remove(id));
    this.#changed();
  }

  close() {
    this.leave.abort();
    this.typists.clear();
  }

  #each(change) {
    change(this.list);
    if (this.#fresh) change(this.#fresh);
  }

  #changed() {
    if (!this.leave.signal.aborted) this.dispatchEvent(new Event('change'));
  }
}
