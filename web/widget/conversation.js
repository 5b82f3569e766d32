/** One open conversation: what is loaded of it, who types, who came and went while it was open. */
import { newId } from '../parley/identifiers.js';
import { Typists } from '../assets/typing.js';
import { MessageList } from './message-list.js';

export class Conversation {
  list = new MessageList();
  isLoading = false;
  /** The first message that was new when it was opened. @type {string|undefined} */
  unreadFrom;
  #lines = [];
  #meanwhile; // events while a page is on its way, which that page may lack
  #work = Promise.resolve(); // one page after the other
  #changed;

  /** @param {string|undefined} id  undefined: one that begins with its first message @param {() => void} changed
   *  @param {string} [ownId]  what a new one will be called */
  constructor(id, changed, ownId = newId()) {
    this.isNew = id === undefined;
    this.id = id ?? ownId;
    this.#changed = changed;
    this.typists = new Typists(changed);
  }

  /** Where its draft is kept. */
  get place() {
    return this.isNew ? 'new' : this.id;
  }

  /** The newest messages, in place of what was loaded.
   *  @param {(thread: string, cursor?: string) => Promise<object>} fetch @param {object} [thread] */
  async load(fetch, thread) {
    await this.#loading(async () => {
      const page = await fetch(this.id);
      this.list.reset(page);
      for (const event of this.#meanwhile) this.#apply(event);
      if (thread?.unreadCount > 0) this.unreadFrom = this.#firstUnread(thread.lastReadAt);
    });
  }

  /** @param {(thread: string, cursor?: string) => Promise<object>} fetch */
  async loadOlder(fetch) {
    const { older } = this.list;
    if (!older || this.isLoading) return;
    await this.#loading(async () => this.list.addOlder(await fetch(this.id, older)));
  }

  /** An event of this conversation. @returns {boolean}  whether it brought a new message @param {object} event */
  take(event) {
    this.#meanwhile?.push(event);
    return this.#apply(event);
  }

  /** A line of the page's own among the messages. @param {string} text @param {string} createdAt */
  note(text, createdAt) {
    this.#lines.push({ kind: 'line', id: `line ${this.#lines.length}`, text, createdAt, direction: 'none' });
  }

  /** What stands in the transcript, with what waits to be sent in it behind that. @param {import('./outbox.js').Item[]} unsent */
  shown(unsent) {
    const waiting = unsent.filter(({ id, thread }) => thread === this.id && !this.list.has(id)).map((one) => ({ ...one, direction: 'toAgent' }));
    const all = [...this.list.items, ...this.#lines];
    if (this.#lines.length) all.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
    return [...all, ...waiting];
  }

  close() {
    this.typists.clear();
  }

  #apply({ type, data }) {
    if (type === 'message.removed') this.list.remove(data.messageId);
    if (type === 'typing') this.typists.set(data.author, data.isTyping);
    if (type !== 'message.created' && type !== 'message.updated') return false;
    const { message } = data;
    if (message.parentId && message.alsoInThread === false) return false;
    this.typists.set(message.author, false);
    return this.list.put(message) && type === 'message.created';
  }

  #firstUnread(readAt = '') {
    return this.list.items.find(({ direction, createdAt }) => direction === 'toClient' && createdAt > readAt)?.id;
  }

  #loading(work) {
    const run = async () => {
      this.isLoading = true;
      this.#meanwhile = [];
      try {
        await work();
      } finally {
        this.#meanwhile = undefined;
        this.isLoading = false;
        this.#changed();
      }
    };
    return (this.#work = this.#work.then(run, run));
  }
}
