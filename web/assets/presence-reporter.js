/**
 * Says that this agent is at the desk, at which conversation, and whether they write. Away is who has chosen it, who looks at no page
 * of the desk, and who has touched none for ten minutes. Of several tabs the one that is looked at speaks.
 */

const REPEAT = 25_000; // ms; the gateway forgets after a minute
const IDLE = 600_000;
const WRITES = 4000; // after the last key
const SEEN = 'parley.desk.seen'; // when a tab was looked at last

export class PresenceReporter {
  #api;
  #agent;
  #place = {}; // {id, channel, customer} of the thread on show
  #page;
  #storage;
  #touched;
  #wrote = -Infinity;
  #timers = {};
  #said;
  #isRunning = false;
  #isStarted = false;

  /** @param {{set: (body: object, place: object) => Promise<void>}} api @param {() => object|undefined} agent
   *  @param {{isAway?: () => boolean, page?: Document, storage?: Storage, now?: () => number}} [options] */
  constructor(api, agent, { isAway = () => false, page = document, storage = globalThis.localStorage, now = Date.now } = {}) {
    this.#api = api;
    this.#agent = agent;
    this.isAway = isAway;
    this.#page = page;
    this.#storage = storage;
    this.now = now;
    this.#touched = now();
  }

  start() {
    this.#isStarted = true;
    this.#page.addEventListener('visibilitychange', () => this.settle());
    for (const type of ['keydown', 'pointerdown', 'wheel']) {
      this.#page.addEventListener(type, () => this.#touch(), { passive: true, capture: true });
    }
    this.#timers.repeat = setInterval(() => this.settle({ again: true }), REPEAT);
    globalThis.addEventListener?.('pagehide', () => this.#leave());
    globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && this.settle({ again: true }));
    this.settle();
  }

  stop() {
    this.#isStarted = false;
    clearInterval(this.#timers.repeat);
    clearTimeout(this.#timers.writes);
  }

  /** @param {object} [thread]  the one on show */
  show(thread) {
    const { id, channel, customer } = thread ?? {};
    if (id === this.#place.id && channel === this.#place.channel && customer?.id === this.#place.customer) return;
    this.#place = { id, channel, customer: customer?.id };
    this.#wrote = -Infinity;
    this.settle();
  }

  /** Something was typed in the conversation on show. */
  writes() {
    const wasWriting = this.now() - this.#wrote < WRITES;
    this.#wrote = this.now();
    clearTimeout(this.#timers.writes);
    this.#timers.writes = setTimeout(() => this.settle(), WRITES + 50);
    if (!wasWriting) this.settle();
  }

  /** What was written is sent. */
  sent() {
    this.#wrote = -Infinity;
    this.settle();
  }

  /** What is to be said now; undefined: another tab speaks. */
  get wanted() {
    const agent = this.#agent();
    if (!agent) return undefined;
    const isVisible = this.#page.visibilityState === 'visible';
    if (!isVisible && this.now() - Number(this.#storage?.getItem(SEEN) ?? 0) < REPEAT + 5000) return undefined;
    const isAway = !isVisible || this.isAway() || this.now() - this.#touched > IDLE;
    const isHere = !isAway && this.#place.id !== undefined;
    return {
      body: {
        state: isAway ? 'away' : 'online',
        agent,
        ...(isHere && { threadId: this.#place.id, doing: this.now() - this.#wrote < WRITES ? 'writing' : 'looking' }),
      },
      place: isHere && this.#place.channel && this.#place.customer ? { channel: this.#place.channel, customer: this.#place.customer } : {},
    };
  }

  /** Says what holds, if that is news, or again. One request at a time, so that the last one says what holds. */
  async settle({ again = false } = {}) {
    if (again) this.#said = undefined;
    if (this.#isRunning || !this.#isStarted) return;
    this.#isRunning = true;
    try {
      for (;;) {
        if (this.#page.visibilityState === 'visible') this.#stamp();
        const wanted = this.wanted;
        const text = JSON.stringify(wanted);
        if (!wanted || text === this.#said) return;
        this.#said = text;
        await this.#api.set(wanted.body, wanted.place);
      }
    } catch (error) {
      this.#said = undefined; // the next time tries again
      console.warn(error);
    } finally {
      this.#isRunning = false;
    }
  }

  #touch() {
    const wasIdle = this.now() - this.#touched > IDLE;
    this.#touched = this.now();
    if (wasIdle) this.settle();
  }

  #stamp() {
    try {
      this.#storage?.setItem(SEEN, String(this.now()));
    } catch {
      // the browser has no room for it: this tab speaks for itself
    }
  }

  #leave() {
    if (this.#page.visibilityState !== 'visible') return;
    this.#storage?.removeItem(SEEN); // the next tab may speak at once
  }
}
