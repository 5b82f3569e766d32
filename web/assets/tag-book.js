/** The tags of the desk, by which conversations are sorted. Tells by `change` that they are different, here or at another desk. */
import { newId } from '../parley.js';
import { path } from '../parley/paths.js';

export const COLOURS = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'];

/** @typedef {{id: string, name: string, colour?: string, position?: number}} Tag */

export class TagBook extends EventTarget {
  #parley;
  #tags = new Map(); // id -> Tag

  /** @param {import('../parley.js').Parley} parley @param {EventTarget} stream  the desk's events */
  constructor(parley, stream) {
    super();
    this.#parley = parley;
    stream.addEventListener('event', ({ detail: { type, data } }) => type === 'tag.updated' && this.#take(data));
  }

  /** In their order. @returns {Tag[]} */
  list() {
    return [...this.#tags.values()].sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.name.localeCompare(b.name));
  }

  /** Those of a thread, without what is not known here. @param {{tags?: string[]}} thread @returns {Tag[]} */
  of({ tags = [] }) {
    const wanted = new Set(tags);
    return this.list().filter(({ id }) => wanted.has(id));
  }

  async load() {
    const { items } = await this.#parley.request('GET', '/v1/desk/tags');
    this.#tags = new Map(items.map((tag) => [tag.id, tag]));
    this.#changed();
  }

  /** @param {{name: string, colour: string}} tag @returns {Promise<Tag>} */
  async add(tag) {
    const made = await this.#parley.request('POST', '/v1/desk/tags', { body: tag, key: newId() });
    this.#take({ id: made.id, tag: made });
    return made;
  }

  /** @param {string} id @param {{name?: string, colour?: string}} patch */
  async change(id, patch) {
    this.#take({ id, tag: await this.#parley.request('PATCH', path`/v1/desk/tags/${id}`, { body: patch }) });
  }

  /** @param {string} id */
  async remove(id) {
    try {
      await this.#parley.request('DELETE', path`/v1/desk/tags/${id}`);
    } catch (error) {
      if (error.status !== 404) throw error; // somebody else was faster
    }
    this.#take({ id });
  }

  #take({ id, tag }) {
    if (tag) this.#tags.set(id, tag);
    else this.#tags.delete(id);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
