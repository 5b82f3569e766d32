/** Who types: what we report of ourselves, and what we show of others. */

/** Reports the start at the first change and the end after a while without one. */
export class TypingReporter {
  #report;
  #idle;
  #repeat;
  #timer;
  #since; // when the start was last reported; undefined while nobody types

  /** @param {(isTyping: boolean) => void} report @param {{idle?: number, repeat?: number}} [options]  ms; the start is
   *  repeated, as the other side takes a report for outdated after some time */
  constructor(report, { idle = 3000, repeat = 6000 } = {}) {
    this.#report = report;
    this.#idle = idle;
    this.#repeat = repeat;
  }

  changed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), this.#idle);
    const now = Date.now();
    if (this.#since !== undefined && now - this.#since < this.#repeat) return;
    this.#since = now;
    this.#report(true);
  }

  stop() {
    clearTimeout(this.#timer);
    if (this.#since === undefined) return;
    this.#since = undefined;
    this.#report(false);
  }
}

/** Those who type at the moment. If the end is not reported, because the sender is gone, the report expires. */
export class Typists {
  #timers = new Map(); // author's id -> {author, timer}
  #changed;
  #expiry;

  /** @param {() => void} changed @param {number} [expiry]  milliseconds */
  constructor(changed, expiry = 9000) {
    this.#changed = changed;
    this.#expiry = expiry;
  }

  get authors() {
    return [...this.#timers.values()].map(({ author }) => author);
  }

  set(author, isTyping) {
    clearTimeout(this.#timers.get(author.id)?.timer);
    const known = this.#timers.delete(author.id);
    if (isTyping) {
      this.#timers.set(author.id, { author, timer: setTimeout(() => this.set(author, false), this.#expiry) });
    }
    if (known || isTyping) this.#changed();
  }

  clear() {
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
