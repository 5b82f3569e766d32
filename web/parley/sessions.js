/** `/v1/sessions`: the customers' side. */
import { allItems } from './pages.js';
import { path } from './paths.js';
import { CustomerOfSession, DeviceOfSession, ViewingOfSession } from './session-parts.js';
import { Side } from './side.js';
import { SessionThread, SessionThreads } from './threads.js';

/** The sessions as a list. */
export class Sessions {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  /** With its token, which no later answer shows. `key` makes it safe to repeat.
   *  @param {import('../parley.js').SessionRequest} body
   *  @param {{key?: string}} options */
  create(body, { key } = {}) {
    return this.transport.request('POST', '/v1/sessions', { body, key });
  }

  /** Oldest first; a page may be short and have a `next`.
   *  @param {import('../parley.js').SessionQuery} options */
  list({ signal, ...query } = {}) {
    return this.transport.request('GET', '/v1/sessions', { query, signal });
  }

  /** All of them, page by page.
   *  @param {import('../parley.js').SessionQuery} [options] */
  all(options) {
    return allItems((page) => this.list(page), options);
  }

  /** Signs out those that the query names, a page at a time.
   *  @param {import('../parley.js').SessionQuery} options */
  deleteAll({ signal, ...query }) {
    return this.transport.request('DELETE', '/v1/sessions', { query, signal });
  }
}

/** One session and what lies below it. */
export class SessionHandle extends Side {
  /**
   * @param {import('./gateway.js').Parley} parley
   * @param {string} id
   */
  constructor(parley, id) {
    super(parley, path`/v1/sessions/${id}`);
    this.id = id;
    this.threads = new SessionThreads(parley, this.base);
    this.customer = new CustomerOfSession(parley, this.base);
    this.device = new DeviceOfSession(parley, this.base);
    this.viewing = new ViewingOfSession(parley, this.base);
  }

  /** One thread by its id, without asking the gateway.
   *  @param {string} id */
  thread(id) {
    return new SessionThread(this.parley, this.base, id);
  }

  get() {
    return this.#call('GET');
  }

  /** Signs out; the session's streams end. */
  delete() {
    return this.#call('DELETE');
  }

  connect() {
    return this.#call('POST', '/connect');
  }

  disconnect() {
    return this.#call('POST', '/disconnect');
  }

  /** Pauses or resumes the background synchronization of a remote service.
   *  @param {{state: 'running'|'paused'}} body */
  sync(body) {
    return this.#call('POST', '/sync', body);
  }

  /** Forgets what is cached of a remote service; every collection is cleared. */
  clearCache() {
    return this.#call('POST', '/clearCache');
  }

  /** What the customer has not read, in all; `unread.updated` tells another total to a session with a screen. */
  unread() {
    return this.#call('GET', '/unread');
  }

  /** Tells a service with analytics what the customer does.
   *  @param {import('../parley.js').ActivityRequest} body */
  recordActivity(body) {
    return this.#call('POST', '/analytics', body);
  }

  /** Runs the trigger that the service has under this id.
   *  @param {string} trigger */
  executeTrigger(trigger) {
    return this.#call('POST', path`/triggers/${trigger}`);
  }

  /** What the customer may choose from at any time: a message with an entry's label as text, and its postback. */
  menu() {
    return this.#call('GET', '/menu');
  }

  /** Leaves a message for agents who are away, while a live chat's channel is offline.
   *  @param {import('../parley.js').OfflineMessageRequest} body */
  leaveOfflineMessage(body) {
    return this.#call('POST', '/offlineMessages', body);
  }

  /** This session's events: see `Parley.events`.
   *  @param {import('../parley.js').EventOptions} [options] */
  events(options = {}) {
    return this.parley.events({ ...options, sessions: [this.id] });
  }

  /**
   * @param {string} method
   * @param {string} [action]
   * @param {object} [body]
   */
  #call(method, action = '', body = undefined) {
    return this.parley.request(method, this.base + action, { body });
  }
}
