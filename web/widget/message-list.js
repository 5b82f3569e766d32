/**
 * A conversation's messages in order, from pages and from events, whichever comes first. A message is there once, in its newest
 * form; one that was removed leaves a mark at its place.
 *
 * @typedef {{id: string, createdAt: string, updatedAt: string, status: string, direction: string, author: object,
 *            isRemoved?: boolean, [member: string]: any}} Message
 */

const RANK = ['pending', 'failed', 'sent', 'delivered', 'seen'];

/** Whether `a` is a later form of the same message than `b`. That it was seen is told without another `updatedAt`.
 *  @param {Message} a @param {Message} b */
export function isLater(a, b) {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt;
  return RANK.indexOf(a.status) > RANK.indexOf(b.status);
}

export class MessageList {
  /** Ascending. @type {readonly Message[]} */
  items = [];
  /** Where older ones are; undefined: there are none. @type {string|undefined} */
  older;
  isLoaded = false;
  #ids = new Map();
  #removed = new Set();

  /** The newest page, in place of what was there. @param {{items: Message[], next?: string}} page */
  reset({ items, next }) {
    this.#ids.clear();
    this.items = [];
    this.older = next;
    this.isLoaded = true;
    this.#add(items);
  }

  /** A page of older ones. @param {{items: Message[], next?: string}} page */
  addOlder({ items, next }) {
    this.older = next;
    this.#add(items);
  }

  /** One that is new or has changed. @param {Message} message @returns {boolean}  whether it is new */
  put(message) {
    const known = this.#ids.get(message.id);
    if (this.#removed.has(message.id) || (known ? !isLater(message, known) : this.#isBefore(message))) return false;
    this.#ids.set(message.id, message);
    if (known) this.items = this.items.map((one) => (one === known ? message : one));
    else this.items = placed(this.items, message);
    return !known;
  }

  /** @param {string} id */
  remove(id) {
    this.#removed.add(id);
    const known = this.#ids.get(id);
    if (!known) return;
    const { createdAt, updatedAt, direction, author, status } = known;
    const mark = { id, createdAt, updatedAt, direction, author, status, isRemoved: true };
    this.#ids.set(id, mark);
    this.items = this.items.map((one) => (one === known ? mark : one));
  }

  /** @param {string} id */
  has(id) {
    return this.#ids.has(id);
  }

  /** Whether it belongs to a page that is not loaded: it would come twice, with a gap behind it. */
  #isBefore({ createdAt }) {
    return this.older !== undefined && createdAt < this.items[0]?.createdAt;
  }

  /** A page comes newest first; before equals in time that are there already, as it is older. */
  #add(page) {
    const fresh = page.filter(({ id }) => !this.#ids.has(id) && !this.#removed.has(id)).reverse();
    for (const message of page) if (this.#ids.has(message.id)) this.put(message);
    for (const message of fresh) this.#ids.set(message.id, message);
    this.items = [...fresh, ...this.items].sort(byTime); // stable
  }
}

const byTime = (a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);

/** Behind all that are not later. */
function placed(items, message) {
  let at = items.length;
  while (at > 0 && items[at - 1].createdAt > message.createdAt) at--;
  return [...items.slice(0, at), message, ...items.slice(at)];
}
