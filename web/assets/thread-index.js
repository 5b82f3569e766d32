/**
 * The threads that are known, of whatever list. Everything known has a position in the event log (an event's id) or none (an
 * answer, a collection's item); of two accounts of one thread the later one counts.
 */
import { compareCursors } from '../parley.js';

/** When something last happened in a thread. */
export const activity = (thread) => thread.lastMessage?.createdAt ?? thread.createdAt;

export class ThreadIndex {
  #known = new Map(); // key -> {thread, at}

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

  /** All that are known, in no order. */
  list() {
    return [...this.#known.values()].map(({ thread }) => thread).filter(Boolean);
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
