/**
 * How long one will probably wait in a queue, from how it has moved since one was first seen in it. As long as it has not
 * moved, nothing can be said.
 */
export class QueueEstimate {
  #first; // {position, at}: of the thread that waits now
  #last;
  #thread;

  /** @param {string} thread @param {number} position @param {number} now  milliseconds
   *  @returns {number|undefined}  milliseconds that are left, 0 or more */
  update(thread, position, now) {
    // Somebody came before: the pace until then says nothing any more.
    if (thread !== this.#thread || position > this.#last.position) {
      this.#thread = thread;
      this.#first = this.#last = { position, at: now };
    } else if (position < this.#last.position) {
      this.#last = { position, at: now };
    }
    const moved = this.#first.position - this.#last.position;
    if (moved === 0) return undefined;
    const pace = (this.#last.at - this.#first.at) / moved;
    return Math.max(0, position * pace - (now - this.#last.at));
  }
}
