/** What a session and the desk have in common. */
import { Attachments } from './attachments.js';
import { CollectionHandle, Collections } from './collections.js';

export class Side {
  /**
   * @param {import('./gateway.js').Parley} parley
   * @param {string} base  path of the session, or of the desk
   */
  constructor(parley, base) {
    this.parley = parley;
    this.base = base;
    this.collections = new Collections(parley, base);
    this.attachments = new Attachments(parley, base);
  }

  /** One collection by its id, without asking the gateway.
   *  @param {string} id */
  collection(id) {
    return new CollectionHandle(this.parley, this.base, id);
  }

  /** Addresses of files and transcripts that open without a header, for ten minutes or more: for pictures and links.
   *  @param {{paths: string[]}} body */
  tickets(body) {
    return this.parley.request('POST', `${this.base}/tickets`, { body });
  }

  /** Messages of all threads that contain these words, newest first.
   *  @param {string} q  words, "phrases", prefix*
   *  @param {import('../parley.js').SearchQuery} options */
  search(q, { signal, ...options } = {}) {
    return this.parley.request('GET', `${this.base}/search`, { query: { q, ...options }, signal });
  }
}
