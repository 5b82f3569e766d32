/**
 * The threads that are known, made from pages and events. Like `MessageList`: the later account of a thread counts.
 */
import { compareCursors } from '../parley.js';

/** When something last happened in a thread. */
export const activity = (thread) => thread.lastMessage?.createdAt ?? thread.createdAt;

/** Ids are unique within an account only; at the desk, where many accounts meet, the key names the account too. */
export function accountKey(thread) {
  return thread.channel && thread.customer ? JSON.stringify([thread.channel, thread.customer.id, thread.id]) : thread.id;
}

export class ThreadIndex {
  #known = new Map(); // key -> {thread, at}

  /** Cursor of further pages by state; a state that is missing was never loaded. @type {Map<string, string|undefined>} */
  more = new Map();

  /** @param {(thread: object) => string} [key]  what tells threads apart */
  constructor(key = (thread) => thread.id) {
    this.key = key;
  }

  get(key) {
    return this.#known.get(key)?.thread;
  }

  /** The keys under which a thread id is known: several, if several customers use it. */
  keysOf(id) {
    return [...this.#known].filter(([, { thread }]) => thread?.id === id).map(([key]) => key);
  }

  /** Latest activity first. @param {(thread: import('../parley.js').Thread) => boolean} accept */
  list(accept = () => true) {
    const threads = [...this.#known.values()].map(({ thread }) => thread).filter((thread) => thread && accept(thread));
    return threads.sort((a, b) => (activity(a) < activity(b) ? 1 : activity(a) > activity(b) ? -1 : 0));
  }

  clear() {
    this.#known.clear();
    this.more.clear();
  }

  /** Adds a page of the threads in `state`. */
  add(page, state) {
    this.more.set(state, page.next);
    for (const thread of page.items) this.upsert(thread, page.cursor);
  }

  /** An event, or (`at` undefined) the answer to a request. @returns the key */
  upsert(thread, at) {
    const key = this.key(thread);
    const known = this.#known.get(key);
    if (known && !isNewer(thread, at, known)) return key;
    this.#known.set(key, { thread, at: at ?? known?.at });
    return key;
  }

  remove(key, at) {
    this.#known.set(key, { thread: undefined, at });
  }
}

function isNewer(thread, at, known) {
  if (!known.thread) return false;
  if (at && known.at) return !(compareCursors(at, known.at) < 0);
  return thread.updatedAt >= known.thread.updatedAt;
}
