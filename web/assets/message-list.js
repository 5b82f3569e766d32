/**
 * The messages of one thread as far as they are loaded, made from pages and from events, in whatever order these arrive.
 *
 * Order is the server's: by `createdAt`, and among equals in the order in which they were delivered. Everything known has a
 * position in the event log (a page's `cursor`, an event's id); of two accounts of one message the later one counts. So a
 * page that was slow cannot undo an event, and an event that was replayed cannot undo a page.
 */
import { compareCursors } from '../parley.js';

export class MessageList {
  #items = []; // ascending
  #known = new Map(); // id -> {message, at}; message is undefined for one that was removed
  #early = []; // events that came before the first page

  /** Cursor of older messages; undefined at the beginning of the thread. */
  older;
  /** Whether there are newer ones than the last: a list may begin in the middle. */
  hasNext = false;
  loaded = false;

  /** Ascending. @returns {readonly import('../parley.js').Message[]} */
  get items() {
    return this.#items;
  }

  has(id) {
    return this.#known.get(id)?.message !== undefined;
  }

  get(id) {
    return this.#known.get(id)?.message;
  }

  /** Begins anew with a page, newest first: also after a `reset`, when what was known can no longer be continued. */
  reset(page) {
    this.#items = [];
    this.#known.clear();
    this.older = page.next;
    this.hasNext = page.hasNext ?? false;
    this.loaded = true;
    // Ascending, each put behind its equals: the page's own order is kept.
    for (const message of [...page.items].reverse()) this.#insert(message, page.cursor, false);
    const early = this.#early.splice(0);
    for (const [message, at] of early) message.removed ? this.remove(message.id, at) : this.upsert(message, at);
  }

  /** Adds a page of older messages. */
  prepend(page) {
    this.older = page.next;
    // Descending, each put before its equals: they are all older than what is here.
    for (const message of page.items) {
      if (this.#known.has(message.id)) this.upsert(message, page.cursor);
      else this.#insert(message, page.cursor, true);
    }
  }

  /** Adds a page of newer messages, newest first. */
  append(page) {
    this.hasNext = page.hasNext ?? false;
    for (const message of [...page.items].reverse()) {
      if (this.#known.has(message.id)) this.upsert(message, page.cursor);
      else this.#insert(message, page.cursor, false);
    }
  }

  /** An event, or the answer to a request (`at` undefined: then it only adds what is not known, or grows `updatedAt`). */
  upsert(message, at) {
    if (!this.loaded) return void this.#early.push([message, at]);
    const known = this.#known.get(message.id);
    if (known) {
      if (!isNewer(message, at, known)) return;
      // Where it stands depends on createdAt, which never changes.
      this.#items[this.#items.indexOf(known.message)] = message;
      this.#known.set(message.id, { message, at: at ?? known.at });
    } else if (this.#touches(message)) {
      this.#insert(message, at, false);
    } // else it belongs to a page that is not loaded: alone it would hide the gap beside it
  }

  #touches({ createdAt }) {
    const [first, last] = [this.#items[0], this.#items.at(-1)];
    return (!this.older || !first || createdAt >= first.createdAt) && (!this.hasNext || (last && createdAt < last.createdAt));
  }

  /** Remembers the removal, so that a page from before it does not bring the message back. */
  remove(id, at) {
    if (!this.loaded) return void this.#early.push([{ id, removed: true }, at]);
    const known = this.#known.get(id);
    if (known?.message) this.#items.splice(this.#items.indexOf(known.message), 1);
    this.#known.set(id, { message: undefined, at: at ?? known?.at });
  }

  #insert(message, at, beforeEquals) {
    const comesAfter = (other) =>
      beforeEquals ? other.createdAt >= message.createdAt : other.createdAt > message.createdAt;
    let index = beforeEquals ? this.#items.findIndex(comesAfter) : this.#items.length;
    if (beforeEquals && index < 0) index = this.#items.length;
    while (!beforeEquals && index > 0 && comesAfter(this.#items[index - 1])) index--;
    this.#items.splice(index, 0, message);
    this.#known.set(message.id, { message, at });
  }
}

function isNewer(message, at, known) {
  if (!known.message) return false; // ids are not used again
  if (at && known.at) return !(compareCursors(at, known.at) < 0);
  return message.updatedAt >= known.message.updatedAt;
}
