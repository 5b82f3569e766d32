/**
 * One open conversation, or the replies to one of its messages: what is loaded, what waits to be sent, who types. Knows nothing
 * of the page; tells by `change` that something is different, by `arrived` (detail: the message) that somebody else has
 * written, and by `gone` that the message that was replied to is no more.
 */
import { CollectedMessages } from './collected-messages.js';
import { isInConversation, withReplyInfo } from './message-source.js';
import { ThreadNotes } from './thread-notes.js';
import { Typists } from './typing.js';

export class Conversation extends EventTarget {
  #quoted = new Map(); // id of a parent that is not loaded -> the message, {unavailable} or (asked for) undefined

  /** @param {{side: import('./sides.js').Side, thread: () => import('../parley.js').ChatThread, key: string,
   *           outbox: import('./outbox.js').Outbox, parent?: import('../parley.js').Message, formerKey?: string}} parts
   *  `parent`: with it, this is its reply thread; `formerKey`: under which it was on show until now */
  constructor({ side, thread, key, outbox, parent, formerKey }) {
    super();
    Object.assign(this, { side, key, outbox, parent, formerKey });
    this.typists = new Typists(() => this.#changed());
    this.#thread = thread;
    this.leave = new AbortController();
    const parts = { side, thread, parent: parent?.id, changed: () => this.#changed() };
    /** @type {import('./message-source.js').MessageSource} */
    this.list = new CollectedMessages(parts);
    const notes = parent ? undefined : side.notes?.(thread);
    /** What agents have noted; the customer's side has none. @type {ThreadNotes|undefined} */
    this.notes = notes && new ThreadNotes(notes, () => this.#changed());
    const { signal } = this.leave;
    outbox.addEventListener('change', () => this.#changed(), { signal });
    outbox.addEventListener('sent', ({ detail }) => this.list.upsert(detail), { signal });
  }

  #thread;
  get thread() {
    return this.#thread();
  }

  /** Loads what is around the start; what was loaded before is given up when that arrives.
   *  @param {import('./message-source.js').Start} [start] */
  async load(start) {
    if (this.parent) await this.#loadParent();
    if (this.leave.signal.aborted) return;
    try {
      await Promise.all([this.list.open(start), this.notes?.load()]);
    } catch (error) {
      if (this.leave.signal.aborted) return;
      if (!this.parent || error.status !== 404) throw error;
      return this.#gone(); // removed since it was asked for
    }
    if (this.leave.signal.aborted) return;
    this.#settle();
    this.#changed();
  }

  /** A message that the list has is taken from those that wait to be sent. Not earlier: it would vanish for a moment. */
  #settle() {
    for (const item of [...this.outbox.items]) if (this.list.has(item.id)) this.outbox.remove(item.id);
  }

  /** @param {'previous'|'next'} direction */
  async fetch(direction) {
    const fetching = this.list.fetch(direction);
    this.#changed();
    await fetching;
  }

  /** @param {import('../parley.js').ParleyEvent} event  of this thread, or of a collection */
  take(event) {
    const { type, data } = event;
    if (type === 'typing') {
      if (!this.parent && this.side.isOther(data.author)) this.typists.set(data.author, data.isTyping);
      return;
    }
    if (type.startsWith('note.')) return this.notes?.take(event);
    if (this.parent) this.#takeParent(event);
    const isNews = type === 'message.created' && this.#belongs(data.message) && this.list.isNews(data.message);
    this.list.take(event);
    if (type === 'message.created' || type === 'message.updated') {
      const { message } = data;
      if (this.#quoted.has(message.id)) this.#quoted.set(message.id, message);
      this.typists.set(message.author, false);
      const isMine = this.side.isMe(message.author);
      if (isNews && !isMine) this.dispatchEvent(new CustomEvent('arrived', { detail: message }));
    } else if (type === 'message.removed' && this.#quoted.has(data.messageId)) {
      this.#quoted.set(data.messageId, { id: data.messageId, unavailable: true });
    }
    this.#settle();
    this.#changed();
  }

  /** The message that a reply answers, as far as it is known; it is asked for once.
   *  @returns {import('../parley.js').Message|{id: string, unavailable: true}|undefined} */
  quoted(id) {
    const known = this.list.get(id) ?? this.#quoted.get(id);
    if (known || this.#quoted.has(id)) return known;
    this.#quoted.set(id, undefined);
    this.side.message(this.thread, id).then(
      (message) => this.#quoted.set(id, message),
      (error) => (error.status === 404 ? this.#quoted.set(id, { id, unavailable: true }) : this.#quoted.delete(id)),
    ).finally(() => this.#changed());
    return undefined;
  }

  /** The messages that are loaded, and the notes among them. @returns {readonly object[]} */
  get shown() {
    return this.notes?.among(this.list) ?? this.list.items;
  }

  /** The id of the newest that the page has shown, of messages and notes; without all of them at hand, of what it knows.
   *  @returns {string|undefined} */
  get latest() {
    if (this.list.hasNext) return this.thread?.lastMessage?.id;
    const newest = this.shown.at(-1);
    return newest && (this.notes?.idOf(newest.id) ?? newest.id);
  }

  /** Takes the answer to an edit or removal at once, without waiting for its event. */
  edited(message) {
    if (this.parent?.id === message.id) this.parent = message;
    this.list.upsert(message);
    this.#changed();
  }

  removed(id) {
    this.list.drop(id);
    this.#changed();
  }

  close() {
    this.leave.abort();
    this.list.close();
    this.typists.clear();
  }

  #belongs(message) {
    return this.parent ? message.parentId === this.parent.id : isInConversation(message);
  }

  async #loadParent() {
    try {
      this.parent = await this.side.message(this.thread, this.parent.id);
    } catch (error) {
      if (error.status !== 404) throw error;
      this.#gone();
    }
  }

  #takeParent({ type, data }) {
    if (type === 'message.removed' && data.messageId === this.parent.id) this.#gone();
    else if (type === 'message.updated' && data.message.id === this.parent.id) this.parent = data.message;
    else if (type === 'thread.info' && data.parentId === this.parent.id) this.parent = withReplyInfo(this.parent, data.replyInfo);
    else if (type === 'collection.parent' && data.collectionId === this.list.collectionId) {
      if (data.items?.[0]) this.parent = data.items[0];
      else this.#gone();
    }
  }

  #gone() {
    if (!this.leave.signal.aborted) this.dispatchEvent(new Event('gone'));
  }

  #changed() {
    if (!this.leave.signal.aborted) this.dispatchEvent(new Event('change'));
  }
}
