/** What is written and not sent, as the browser keeps it: the field of each conversation, and what is on its way. */

const MOST = 20; // conversations

export class Drafts {
  #store;
  #texts;

  /** @param {import('./store.js').Store} store */
  constructor(store) {
    this.#store = store;
    const known = store.get(store.draftKey);
    this.#texts = new Map(Object.entries(known?.texts ?? {}).filter(([, text]) => typeof text === 'string'));
    this.unsent = (Array.isArray(known?.unsent) ? known.unsent : []).filter(isItem);
  }

  /** @param {string} place  a conversation's id, or `new` */
  get(place) {
    return this.#texts.get(place) ?? '';
  }

  /** @param {string} place @param {string} text */
  set(place, text) {
    if (this.get(place) === text) return;
    this.#texts.delete(place); // the newest is the last
    if (text) this.#texts.set(place, text);
    for (const [oldest] of this.#texts) if (this.#texts.size > MOST) this.#texts.delete(oldest);
    this.#save();
  }

  /** Texts alone: a page that is gone has no files any more. @param {import('./outbox.js').Item[]} items */
  keep(items) {
    const unsent = items
      .filter(({ files, text }) => !files?.length && text)
      .map(({ id, thread, text, postback, createdAt }) => ({ id, thread, text, postback, createdAt }));
    if (JSON.stringify(unsent) === JSON.stringify(this.unsent)) return;
    this.unsent = unsent;
    this.#save();
  }

  clear() {
    this.#texts.clear();
    this.unsent = [];
    this.#save();
  }

  #save() {
    const isEmpty = !this.#texts.size && !this.unsent.length;
    this.#store.put(this.#store.draftKey, isEmpty ? undefined : { texts: Object.fromEntries(this.#texts), unsent: this.unsent });
  }
}

const isItem = (one) => ['id', 'thread', 'text', 'createdAt'].every((name) => typeof one?.[name] === 'string');
