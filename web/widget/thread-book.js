/** The visitor's conversations, as the list and later events tell of them. */

export class ThreadBook {
  #threads = new Map();

  /** The list, in place of what was known. @param {object[]} threads */
  reset(threads) {
    this.#threads = new Map(threads.map((thread) => [thread.id, thread]));
  }

  /** @param {object} thread  whole, as events and answers have it @returns {object|undefined}  as it was before */
  put(thread) {
    const before = this.#threads.get(thread.id);
    if (before && thread.updatedAt < before.updatedAt) return before;
    this.#threads.set(thread.id, thread);
    return before;
  }

  /** @param {string} id */
  remove(id) {
    this.#threads.delete(id);
  }

  /** @param {string|undefined} id */
  get(id) {
    return this.#threads.get(id);
  }

  /** Those to show, the latest first. */
  get all() {
    const shown = [...this.#threads.values()].filter(({ hidden, memberState }) => !hidden && memberState !== 'invited');
    return shown.sort((a, b) => (latest(a) < latest(b) ? 1 : -1));
  }

  /** The one that can go on; of the channels that have one at a time. */
  get current() {
    return this.all.find(({ state }) => state !== 'closed');
  }

  /** What is unread in all that are open. */
  get unread() {
    return this.all.reduce((sum, { state, unreadCount = 0 }) => sum + (state === 'closed' ? 0 : unreadCount), 0);
  }
}

const latest = ({ lastMessage, createdAt }) => lastMessage?.createdAt ?? createdAt;

/** Who has come into a conversation, or has left it: a text's key and a name. @param {object|undefined} before @param {object} after
 *  @returns {['messages.joined'|'messages.left', string]|undefined} */
export function comingOrGoing(before, after) {
  const [was, is] = [before?.agent, after.agent];
  if (!before || was?.id === is?.id || after.state === 'closed') return undefined;
  if (is?.name) return ['messages.joined', is.name];
  return was?.name ? ['messages.left', was.name] : undefined;
}

/** Whether a conversation that has ended goes on with the next message: its channel says for how many days.
 *  @param {{contactClosedAt?: string}} [thread]
 *  @param {{reopenDays?: number}} settings */
export function mayReopen(thread, { reopenDays = 0 }) {
  return Date.now() < Date.parse(thread?.contactClosedAt ?? '') + reopenDays * 86_400_000;
}
