/**
 * The notes of agents about one conversation, which stand among its messages by their time. They come from a list of their own:
 * no message is ever a note. In a transcript a note has the type `note`, and an id that no message has.
 */
import { newId } from '../parley.js';

const PAGE = 200;
const MOST_PAGES = 5;

/** What a transcript calls a note. */
const shownId = (id) => `note ${id}`;

export class ThreadNotes {
  #notes = new Map(); // id -> as a transcript shows it
  #removed = new Set(); // they may be in an answer that is on its way
  #merged; // {items, hasPrevious, hasNext, all}: the last merge

  /** @param {{list: (query: object) => Promise<{items: object[], next?: string}>,
   *           add: (text: string, key: string) => Promise<object>, remove: (id: string) => Promise<void>}} api
   *  @param {() => void} changed */
  constructor(api, changed) {
    Object.assign(this, { api, changed });
  }

  /** Everything anew. */
  async load() {
    for (let cursor, page = 0; page < MOST_PAGES && (page === 0 || cursor); page++) {
      const answer = await this.api.list({ limit: PAGE, cursor });
      for (const note of answer.items) this.#put(note);
      cursor = answer.next;
    }
    this.changed();
  }

  /** @param {import('../parley.js').ParleyEvent} event  of this conversation */
  take({ type, data }) {
    if (type === 'note.created') this.#put(data.note);
    else if (type === 'note.removed') this.#drop(data.noteId);
    else return;
    this.changed();
  }

  has(id) {
    return [...this.#notes.values()].some((note) => note.id === id);
  }

  /** The id at the gateway of a note that is shown. @param {string} shown @returns {string|undefined} */
  idOf(shown) {
    return this.has(shown) ? shown.slice(shownId('').length) : undefined;
  }

  /** @param {string} text */
  async add(text) {
    this.#put(await this.api.add(text, newId()));
    this.changed();
  }

  /** @param {string} shown  the id that a transcript shows */
  async remove(shown) {
    const id = shown.slice(shownId('').length);
    try {
      await this.api.remove(id);
    } catch (error) {
      if (error.status !== 404) throw error; // another agent was faster
    }
    this.#drop(id);
    this.changed();
  }

  /** The messages that are loaded, with the notes of the time that they cover. The same array, as long as nothing is different.
   *  @param {{items: readonly object[], hasPrevious: boolean, hasNext: boolean, loaded: boolean}} list */
  among({ items, hasPrevious, hasNext, loaded }) {
    if (!loaded || this.#notes.size === 0) return items;
    const last = this.#merged;
    if (last && last.items === items && last.hasPrevious === hasPrevious && last.hasNext === hasNext) return last.all;
    const [from, to] = [hasPrevious ? items[0]?.createdAt : undefined, hasNext ? items.at(-1)?.createdAt : undefined];
    const notes = [...this.#notes.values()]
      .filter(({ createdAt }) => (!from || createdAt >= from) && (!to || createdAt < to))
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
    const all = [];
    for (const item of items) {
      while (notes[0]?.createdAt < item.createdAt) all.push(notes.shift());
      all.push(item);
    }
    all.push(...notes);
    this.#merged = { items, hasPrevious, hasNext, all };
    return all;
  }

  #put(note) {
    if (this.#removed.has(note.id) || this.#notes.has(note.id)) return;
    this.#notes.set(note.id, { ...note, id: shownId(note.id), type: 'note', direction: 'note', attachments: [] });
    this.#merged = undefined;
  }

  #drop(id) {
    this.#removed.add(id);
    this.#notes.delete(id);
    this.#merged = undefined;
  }
}
