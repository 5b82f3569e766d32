/**
 * Shows messages that are not on any screen as notifications of the system, silently, if the user wants that. Tells by `change`
 * that the user wants something else, here or in another tab.
 */
import { plain } from './markup.js';

const LIMIT = 50; // that are kept to be closed when their conversation is opened

export class Notifier extends EventTarget {
  #shown = new Map(); // message -> {data, notification}
  #open;
  #wish;

  /** @param {(link: string) => void} open  shows what a notification leads to
   *  @param {string} [wish]  where localStorage keeps what the user wants, for all tabs of this page */
  constructor(open, wish = 'parley.notify') {
    super();
    this.#open = open;
    this.#wish = wish;
    globalThis.addEventListener?.('storage', ({ key }) => key === wish && this.#changed());
    // After a click on a notification, the service worker says which address to open.
    globalThis.navigator?.serviceWorker?.addEventListener('message', ({ data }) => data?.link && open(data.link));
  }

  /** Browsers have notifications on secure pages only: on this computer, or over https. */
  get isPossible() {
    return Boolean(globalThis.isSecureContext && globalThis.Notification);
  }

  get isOn() {
    return this.isPossible && Notification.permission === 'granted' && localStorage.getItem(this.#wish) === 'on';
  }

  /** The user's click: browsers let nothing else ask for permission. @returns {Promise<boolean>} whether it is as wanted */
  async toggle() {
    const isWanted = !this.isOn;
    const permission = isWanted ? await Notification.requestPermission() : Notification.permission;
    if (isWanted && permission !== 'granted') return false;
    localStorage.setItem(this.#wish, isWanted ? 'on' : 'off');
    this.#changed();
    return true;
  }

  /** @param {{messageId: string, threadId: string, threadName?: string, title: string, text: string, link: string}} notice
   *  as the gateway tells it */
  async show({ messageId, threadId, threadName, title, text, link }) {
    if (!this.isOn) return;
    const heading = threadName ? `${title} · ${threadName}` : title;
    // One message is one notification, however many tabs hear of it.
    const options = { body: plain(text), tag: messageId, icon: '/assets/icon.svg', silent: true, data: { link, threadId } };
    const registration = await globalThis.navigator?.serviceWorker?.getRegistration?.();
    if (registration) return registration.showNotification(heading, options);
    const notification = new Notification(heading, options);
    this.#keep(messageId, { threadId, link }, notification);
    notification.onclick = (event) => {
      event.preventDefault?.();
      globalThis.focus?.();
      notification.close();
      this.#open(link);
    };
    notification.onclose = () => this.#shown.delete(messageId);
  }

  /** A conversation is on show now: nothing more need be said of it. @param {string} thread
   *  @param {string} [customer]  whose it is, at the desk: several may use one thread id */
  async clear(thread, customer) {
    const isOfIt = (data) => data?.threadId === thread && customerOf(data.link) === customer;
    for (const one of [...this.#shown.values()]) if (isOfIt(one.data)) one.notification.close();
    const registration = this.isOn && (await globalThis.navigator?.serviceWorker?.getRegistration?.());
    if (!registration) return;
    for (const one of await registration.getNotifications()) if (isOfIt(one.data)) one.close();
  }

  #keep(message, data, notification) {
    this.#shown.set(message, { data, notification });
    if (this.#shown.size > LIMIT) this.#shown.delete(this.#shown.keys().next().value);
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/** As the link says. @param {string} [link] @returns {string|undefined} */
const customerOf = (link = '') => new URLSearchParams(link.split('?')[1]).get('customer') ?? undefined;
