/**
 * How many messages the customer has not read in all, as the gateway counts them; tells by `change` that it is another number.
 * The browser shows it at the page's icon, if it can.
 */
export class UnreadTotal extends EventTarget {
  count = 0;
  #parley;
  #session;
  #version = 0; // an answer that was asked for before the last event says nothing

  /** @param {import('../parley.js').Parley} parley @param {EventTarget} stream  its session's events */
  constructor(parley, stream) {
    super();
    this.#parley = parley;
    stream.addEventListener('event', ({ detail: { type, data } }) => {
      if (type === 'unread.updated' && data.sessions?.includes(this.#session)) this.#set(data.unreadCount);
    });
  }

  /** Asks again. Tell the gateway first what is on the screen; then every later change is told.
   *  @param {string} [session]  without one the total is 0 */
  async follow(session) {
    if (session !== this.#session) this.#set(0);
    this.#session = session;
    if (session === undefined) return;
    const version = ++this.#version;
    try {
      const { unreadCount } = await this.#parley.session(session).unread();
      if (version === this.#version) this.#set(unreadCount);
    } catch {
      // The stream's next beginning asks again.
    }
  }

  #set(count) {
    this.#version++;
    if (count === this.count) return;
    this.count = count;
    const { navigator } = globalThis;
    const shown = count ? navigator?.setAppBadge?.(count) : navigator?.clearAppBadge?.();
    shown?.catch(() => {}); // not everywhere, and no harm
    this.dispatchEvent(new Event('change'));
  }
}
