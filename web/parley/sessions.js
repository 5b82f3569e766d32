/** `/v1/sessions`: the customers' side. */
import { Attachments } from './attachments.js';
import { Collections } from './collections.js';
import { fields } from './custom-fields.js';
import { Messages } from './messages.js';
import { path } from './paths.js';
import { search } from './search.js';
import { SessionThreads } from './threads.js';

/** `/v1/sessions` */
export class Sessions {
  constructor(parley) {
    this.parley = parley;
  }

  /** @param {{service?: string, channel: string, customer?: Partial<Customer>, connect?: boolean}} body
   *  @param {{key?: string}} [options]  `key`: makes it safe to repeat
   *  @returns {Promise<Session>}  with its token, which no later answer shows */
  create(body, { key } = {}) {
    return this.parley.request('POST', '/v1/sessions', { body, key });
  }

  /** @param {{service?: string, channel?: string, customer?: string, unusedSince?: string, limit?: number, cursor?: string}} [query]
   *  @returns {Promise<List<Session>>}  oldest first; a page may be short and have a `next` */
  list(query) {
    return this.parley.request('GET', '/v1/sessions', { query });
  }

  /** Signs out those that the query names, a page at a time.
   *  @param {{service?: string, channel?: string, customer?: string, unusedSince?: string, limit?: number, cursor?: string}} query
   *  @returns {Promise<{deleted: number, next?: string}>} */
  deleteAll(query) {
    return this.parley.request('DELETE', '/v1/sessions', { query });
  }

  /** @param {string} id @returns {Promise<Session>} */
  get(id) {
    return this.parley.request('GET', path`/v1/sessions/${id}`);
  }

  /** Signs out; the session's streams end. @param {string} id @returns {Promise<void>} */
  delete(id) {
    return this.parley.request('DELETE', path`/v1/sessions/${id}`);
  }

  /** @param {string} id @returns {Promise<Session>} */
  connect(id) {
    return this.parley.request('POST', path`/v1/sessions/${id}/connect`);
  }

  /** @param {string} id @returns {Promise<Session>} */
  disconnect(id) {
    return this.parley.request('POST', path`/v1/sessions/${id}/disconnect`);
  }

  /** Pauses or resumes the background synchronization of a remote service. @param {string} id
   *  @param {'running'|'paused'} state */
  sync(id, state) {
    return this.parley.request('POST', path`/v1/sessions/${id}/sync`, { body: { state } });
  }

  /** What is on the session's screens; `threadId` is on that which was named last. @param {string} id
   *  @returns {Promise<{notifies: boolean, threadId?: string, threadIds: string[],
   *                     screens: {holder?: string, threadId?: string}[], knownSince: string}>} */
  view(id) {
    return this.parley.request('GET', path`/v1/sessions/${id}/viewing`);
  }

  /** No screen any more, and no notifications; with holders only their screens end. @param {string} id
   *  @param {{holders?: string[]}} [options] */
  stopViewing(id, { holders } = {}) {
    return this.parley.request('DELETE', path`/v1/sessions/${id}/viewing`, { query: { holder: holders } });
  }

  /** Says which thread is on the screen, or none: messages in others come as `notification`. A holder has a screen of its
   *  own, for as long as a stream names it. @param {string} id @param {string} [threadId]
   *  @param {{holder?: string}} [options] */
  viewing(id, threadId, { holder } = {}) {
    const body = { threadId, holder };
    return this.parley.request('PUT', path`/v1/sessions/${id}/viewing`, { body, keepalive: true });
  }

  /** What the customer has not read, in all; `unread.updated` tells another total to a session with a screen.
   *  @param {string} id @returns {Promise<{unreadCount: number, threadCount: number}>} */
  unread(id) {
    return this.parley.request('GET', path`/v1/sessions/${id}/unread`);
  }

  /** The session's device, which is told of messages while nobody follows the session. @param {string} id */
  device(id) {
    return this.parley.request('GET', path`/v1/sessions/${id}/device`);
  }

  /** Registers the session's device, in place of one that it has. @param {string} id
   *  @param {{kind: 'webPush', subscription: object, page?: string}} device  `subscription` as `PushSubscription.toJSON()` gives it */
  setDevice(id, device) {
    return this.parley.request('PUT', path`/v1/sessions/${id}/device`, { body: device });
  }

  /** @param {string} id */
  deleteDevice(id) {
    return this.parley.request('DELETE', path`/v1/sessions/${id}/device`);
  }

  /** Sends one push now, and says what came of it. @param {string} id */
  testDevice(id) {
    return this.parley.request('POST', path`/v1/sessions/${id}/device/test`);
  }

  /** The pushes to the session's device, the newest first. @param {string} id
   *  @param {{limit?: number, cursor?: string, state?: string}} [options] */
  deviceDeliveries(id, { limit, cursor, state } = {}) {
    return this.parley.request('GET', path`/v1/sessions/${id}/device/deliveries`, { query: { limit, cursor, state } });
  }

  /** Forgets what is cached of a remote service; every collection is cleared. @param {string} id */
  clearCache(id) {
    return this.parley.request('POST', path`/v1/sessions/${id}/clearCache`);
  }
}

/** `/v1/sessions/{id}` and what lies below. */
export class SessionHandle {
  constructor(parley, id) {
    this.parley = parley;
    this.id = id;
    this.base = path`/v1/sessions/${id}`;
    this.threads = new SessionThreads(parley, this.base);
    this.messages = new Messages(parley, this.base);
    this.collections = new Collections(parley, this.base);
    this.attachments = new Attachments(parley, this.base);
  }

  /** Messages of all threads that contain these words, newest first. @param {string} q  words, "phrases", prefix*
   *  @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options] @returns {Promise<Found>} */
  search(q, options) {
    return search(this.parley, this.base, q, options);
  }

  /** @returns {Promise<Customer>} */
  customer() {
    return this.parley.request('GET', `${this.base}/customer`);
  }

  /** @param {{firstName?: string, lastName?: string}} body @returns {Promise<Customer>} */
  setCustomer(body) {
    return this.parley.request('PUT', `${this.base}/customer`, { body });
  }

  /** Reads the customer's fields, or merges `values` into them. @param {Record<string, string>} [values] */
  customFields(values) {
    return fields(this.parley, `${this.base}/customer/customFields`, values);
  }

  /** This session's events: see `Parley.events`. @param {Omit<Parameters<Parley['events']>[0], 'sessions'|'desk'>} [options] */
  events(options = {}) {
    return this.parley.events({ ...options, sessions: [this.id] });
  }
}
