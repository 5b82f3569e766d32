import { newId } from './ids.js';
import { path } from './paths.js';

/** The messages of any thread of one session, or of the desk. */
export class Messages {
  constructor(parley, base, query) {
    this.parley = parley;
    this.base = base;
    this.query = query;
  }

  /** Newest first; `next` of the answer, given as `cursor`, leads to older ones.
   *  @param {string} threadId @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options]
   *  @returns {Promise<List<Message>>} */
  page(threadId, { signal, ...query } = {}) {
    return this.parley.request('GET', this.#path(threadId), { query: { ...this.query, ...query }, signal });
  }

  /** All messages, newest first, page by page. @param {string} threadId @param {{limit?: number, signal?: AbortSignal}}
   *  [options] @returns {AsyncGenerator<Message, void, void>} */
  async *all(threadId, options = {}) {
    for (let cursor, more = true; more; more = cursor !== undefined) {
      const page = await this.page(threadId, { ...options, cursor });
      yield* page.items;
      cursor = page.next;
    }
  }

  /** Sends, and tries again with the same id while the gateway cannot be reached: it takes an id only once.
   *  @param {string} threadId @param {{id?: string, text?: string, postback?: string, type?: string, content?: object,
   *           attachments?: {id: string}[], parentId?: string, alsoInThread?: boolean, customType?: string,
   *           agent?: Agent}} message
   *  @param {{tries?: number, delay?: number, signal?: AbortSignal}} [options] @returns {Promise<Message>} */
  send(threadId, message, options = {}) {
    const request = { body: { id: newId(), ...message }, query: this.query, signal: options.signal };
    return this.parley.retrying(() => this.parley.request('POST', this.#path(threadId), request), options);
  }

  /** @param {string} threadId @param {string} id @returns {Promise<Message>} */
  get(threadId, id) {
    return this.parley.request('GET', this.#path(threadId, id), { query: this.query });
  }

  /** @param {string} threadId @param {string} id @param {string} text @returns {Promise<Message>} */
  edit(threadId, id, text) {
    return this.parley.request('PATCH', this.#path(threadId, id), { body: { text }, query: this.query });
  }

  /** @param {string} threadId @param {string} id @returns {Promise<void>} */
  remove(threadId, id) {
    return this.parley.request('DELETE', this.#path(threadId, id), { query: this.query });
  }

  /** Replies to a message, ascending, around a starting point.
   *  @param {string} threadId @param {string} parentId
   *  @param {{from?: number|string, previous?: number, next?: number, inclusive?: boolean, reverse?: boolean, types?: string[],
   *           customTypes?: string[], senderIds?: string[], signal?: AbortSignal}} [options]  `from`: ms or RFC 3339; the newest
   *  @returns {Promise<Replies>} */
  replies(threadId, parentId, { signal, ...options } = {}) {
    const query = { ...this.query };
    for (const [name, value] of Object.entries(options)) query[name] = Array.isArray(value) ? value.join(',') : value;
    return this.parley.request('GET', `${this.#path(threadId, parentId)}/replies`, { query, signal });
  }

  /** Tries a failed message again. @param {string} threadId @param {string} id @returns {Promise<Message>} */
  resend(threadId, id) {
    return this.parley.request('POST', `${this.#path(threadId, id)}/resend`, { query: this.query });
  }

  /** Messages of one thread that contain these words, newest first. @param {string} threadId @param {string} q
   *  @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options] @returns {Promise<Found>} */
  search(threadId, q, { signal, ...options } = {}) {
    return this.parley.request('GET', this.#path(threadId), { query: { ...this.query, q, ...options }, signal });
  }

  #path(threadId, id) {
    return this.base + path`/threads/${threadId}/messages` + (id === undefined ? '' : path`/${id}`);
  }
}
