/** Live, ordered windows on threads or messages. Events alone change one: they come on its own stream (`follow`), and
 *  on the session's or the desk's with `collections`. One that nobody has used for minutes may give its place to
 *  another. */
import { applyCollectionEvent } from './collection-events.js';
import { path } from './paths.js';

/** The collections of one side, as a list. */
export class Collections {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} base
   */
  constructor(transport, base) {
    this.transport = transport;
    this.base = `${base}/collections`;
  }

  /** Empty at first: `fetch` delivers its first page, as an event. `key` makes it safe to repeat.
   *  @param {import('../parley.js').CollectionDefinition} definition
   *  @param {{key?: string}} options */
  create(definition, { key } = {}) {
    return this.transport.request('POST', this.base, { body: definition, key });
  }

  /** All of them, without what they show. */
  list() {
    return this.transport.request('GET', this.base);
  }
}

/** One collection. */
export class CollectionHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} base
   * @param {string} id
   */
  constructor(transport, base, id) {
    this.transport = transport;
    this.id = id;
    this.base = base + path`/collections/${id}`;
  }

  /** The list as it is, and its version. */
  get() {
    return this.transport.request('GET', this.base);
  }

  delete() {
    return this.transport.request('DELETE', this.base);
  }

  /** Asks for more at one end. The answer may come before the event that brings it.
   *  @param {'previous'|'next'} direction */
  fetch(direction) {
    return this.transport.request('POST', `${this.base}/fetch`, { body: { direction } });
  }

  /** Begins anew around another time; without one at the newest.
   *  @param {string|number} [viewpoint] */
  setViewpoint(viewpoint) {
    return this.transport.request('POST', `${this.base}/viewpoint`, { body: { viewpoint } });
  }

  /** The list after each of its events, from a snapshot on that joins the stream by its version.
   *  @param {import('../parley.js').StreamOptions} options */
  async *follow(options = {}) {
    const { signal } = options;
    const get = () => this.transport.request('GET', this.base, { signal });
    const snapshot = async () => {
      try {
        return await this.transport.retrying(get, { signal });
      } catch (error) {
        if (!signal?.aborted) throw error;
      }
    };
    let list = await snapshot();
    if (!list) return;
    yield { list };
    const query = { version: list.version };
    for await (const event of this.transport.stream(`${this.base}/events`, { ...options, query })) {
      if (event.type !== 'reset' && !event.type.startsWith('collection.')) continue;
      const next = event.type === 'reset' ? undefined : applyCollectionEvent(list, event);
      if (next === list) continue;
      list = next ?? (await snapshot());
      if (!list) return;
      yield next ? { list, event } : { list };
    }
  }
}
