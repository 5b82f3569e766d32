/**
 * Says which conversation this page shows, so that the gateway notifies of messages in all others: the open one while the page
 * is visible, else none. Each tab has a screen of its own, under the name of its stream.
 */
export class ViewingReporter {
  #parley;
  #holder;
  #page;
  #place = {}; // {session?, thread?}
  #said; // what the gateway has heard, as text
  #running; // the promise of the requests that are on their way

  /** @param {import('../parley.js').Parley} parley @param {string} holder  the page, as its stream names it
   *  @param {Document} [page] */
  constructor(parley, holder, page = document) {
    this.#parley = parley;
    this.#holder = holder;
    this.#page = page;
    page.addEventListener('visibilitychange', () => this.#settle());
    globalThis.addEventListener?.('pagehide', () => this.leave({ isKept: true }));
    globalThis.addEventListener?.('pageshow', (shown) => shown.persisted && this.#settle());
  }

  /** Resolves when the gateway has heard it, or does not answer. @param {string} session
   *  @param {string} [thread]  the one that is open @param {{isAnew?: boolean}} [options]  `isAnew`: the gateway may have
   *  forgotten what it has heard */
  show(session, thread, { isAnew = false } = {}) {
    this.#place = { session, thread };
    if (isAnew) this.#said = undefined;
    return this.#settle();
  }

  /** The page shows nothing any more. @param {{isKept?: boolean}} [options]  `isKept`: it may come back as it was */
  leave({ isKept = false } = {}) {
    const { session } = this.#place;
    if (!isKept) this.#place = {};
    if (session === undefined || this.#said === undefined) return;
    this.#said = undefined;
    this.#parley.session(session).viewing.delete({ holders: [this.#holder] }).catch(() => {});
  }

  /** The session is no more. */
  forget() {
    this.#place = {};
    this.#said = undefined;
  }

  get #wanted() {
    const { session, thread } = this.#place;
    return { session, thread: this.#page.visibilityState === 'visible' ? thread : undefined };
  }

  #settle() {
    this.#running ??= this.#run();
    return this.#running;
  }

  /** One request at a time, so that the last one says what holds. */
  async #run() {
    await undefined; // only then is this known to run
    try {
      for (;;) {
        const { session, thread } = this.#wanted;
        const text = JSON.stringify([session, thread]);
        if (session === undefined || text === this.#said) return;
        this.#said = text;
        await this.#parley.session(session).viewing.set({ threadId: thread, holder: this.#holder });
      }
    } catch {
      this.#said = undefined; // the stream's next beginning tries again
    } finally {
      this.#running = undefined;
    }
  }
}
