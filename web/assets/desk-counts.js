/**
 * How many conversations there are of each kind. Asked for again after events, at most once a second. Tells by `change` that the
 * numbers are different.
 */

const REST = 1000; // ms between two requests
const TYPES = /^(thread\.|ready$|reset$)/;

export class DeskCounts extends EventTarget {
  #ask;
  #timer;
  #last = -Infinity;
  #isRunning = false;
  #isDue = false;
  #now;

  /** @type {{open?: number, waiting?: number, mine?: number, unassigned?: number, snoozed?: number,
   *           longestWaitingSince?: string, more?: boolean}}  empty: not known */
  numbers = {};

  /** @param {() => Promise<object>} ask @param {EventTarget} stream  the desk's events @param {() => number} [now] */
  constructor(ask, stream, now = () => performance.now()) {
    super();
    this.#ask = ask;
    this.#now = now;
    stream.addEventListener('event', ({ detail: { type } }) => TYPES.test(type) && this.refresh());
  }

  /** Soon; many calls are one. */
  refresh() {
    if (this.#isRunning) return void (this.#isDue = true);
    this.#timer ??= setTimeout(() => this.#run(), Math.max(0, this.#last + REST - this.#now()));
  }

  async #run() {
    this.#timer = undefined;
    this.#isRunning = true;
    this.#last = this.#now();
    try {
      this.numbers = await this.#ask();
      this.dispatchEvent(new Event('change'));
    } catch (error) {
      console.warn(error); // the next event asks again
    } finally {
      this.#isRunning = false;
      const isDue = this.#isDue;
      this.#isDue = false;
      if (isDue) this.refresh();
    }
  }
}
