import { applyCollectionEvent } from './collection-events.js';
import { path } from './paths.js';

/** Live, ordered windows on threads or messages. Events alone change one: they come on its own stream (`follow`), and on the
 *  session's or the desk's with `collections`. One that nobody has used for minutes may give its place to another. */
export class Collections {
  constructor(parley, base) {
    this.parley = parley;
    this.base = `${base}/collections`;
  }

  /** Empty at first: `fetch` delivers its first page, as an event. @param {CollectionDefinition} definition
   *  @param {{key?: string}} [options] @returns {Promise<Collection>} */
  create(definition, { key } = {}) {
    return this.parley.request('POST', this.base, { body: definition, key });
  }

  /** All of them, without what they show.
   *  @returns {Promise<List<{id: string, version: number, createdAt: string, definition: CollectionDefinition}>>} */
  list() {
    return this.parley.request('GET', this.base);
  }

  /** The list as it is, and its version. @param {string} id @returns {Promise<Collection>} */
  get(id) {
    return this.#act('GET', id);
  }

  /** @param {string} id @returns {Promise<void>} */
  delete(id) {
    return this.#act('DELETE', id);
  }

  /** Asks for more at one end. The answer may come before the event that brings it.
   *  @param {string} id @param {'previous'|'next'} direction @returns {Promise<{hasMore: boolean}>} */
  fetch(id, direction) {
    return this.#act('POST', id, '/fetch', { direction });
  }

  /** Begins anew around another time; without one at the newest. @param {string} id @param {string|number} [viewpoint] */
  setViewpoint(id, viewpoint) {
    return this.#act('POST', id, '/viewpoint', viewpoint === undefined ? {} : { viewpoint });
  }

  /** The list after each of its events, from a snapshot on that joins the stream by its version.
   *  @param {string} id @param {{signal?: AbortSignal, onState?: Function}} [options]
   *  @returns {AsyncGenerator<{list: Collection, event?: ParleyEvent}, void, void>}  without an event: a snapshot */
  async *follow(id, options = {}) {
    let list = await this.get(id);
    yield { list };
    const query = { version: list.version };
    for await (const event of this.parley.stream(this.base + path`/${id}/events`, { ...options, query })) {
      if (event.type !== 'reset' && !event.type.startsWith('collection.')) continue;
      const next = event.type === 'reset' ? undefined : applyCollectionEvent(list, event);
      if (next === list) continue;
      list = next ?? (await this.get(id));
      yield next ? { list, event } : { list };
    }
  }

  #act(method, id, action = '', body = undefined) {
    return this.parley.request(method, this.base + path`/${id}` + action, { body });
  }
}
