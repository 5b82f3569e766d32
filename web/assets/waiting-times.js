/**
 * Since when customers wait for an answer. A thread tells of its last message only, so the first one that nobody has answered is
 * remembered as long as the page lives.
 */
export class WaitingTimes {
  #since = new Map(); // key -> ISO time

  /** @param {string} key @param {import('../parley.js').Thread} thread @returns {string|undefined}  an ISO time */
  since(key, thread) {
    const last = thread.lastMessage;
    const waits = thread.state !== 'closed' && (last ? last.direction === 'toAgent' : Boolean(thread.queuePosition));
    if (!waits) {
      this.#since.delete(key);
      return undefined;
    }
    const at = last?.createdAt ?? thread.createdAt;
    const known = this.#since.get(key);
    if (!known || at < known) this.#since.set(key, at);
    return this.#since.get(key);
  }
}
