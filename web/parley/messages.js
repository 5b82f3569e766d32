/** The messages of one thread, on either side. */
import { newId } from './identifiers.js';
import { allItems } from './pages.js';
import { path } from './paths.js';
import { expected } from './transport.js';

/** The messages as a list. `owner` goes along with every request. */
export class Messages {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} thread  its path
   * @param {{channel: string, customer: string}} [owner]
   * @param {{channel?: string, customer?: string, as?: string}} [acting]  goes along with what changes something
   */
  constructor(transport, thread, owner, acting = owner) {
    this.transport = transport;
    this.base = `${thread}/messages`;
    this.owner = owner;
    this.acting = acting;
  }

  /** One page, newest first; `next` of the answer, given as `cursor`, leads to older ones.
   *  @param {import('../parley.js').MessageQuery} options */
  list({ signal, ...query } = {}) {
    return this.transport.request('GET', this.base, { query: { ...this.owner, ...query }, signal });
  }

  /** All messages, newest first, page by page.
   *  @param {import('../parley.js').MessageQuery} [options] */
  all(options) {
    return allItems((page) => this.list(page), options);
  }

  /** Sends, and tries again with the same id while the gateway cannot be reached: it takes an id only once.
   *  @param {object} message
   *  @param {import('../parley.js').SendOptions} [options] */
  send(message, options = {}) {
    return sent(this.transport, this.base, message, { ...options, query: this.acting });
  }

  /** Messages that contain these words, newest first.
   *  @param {string} q
   *  @param {import('../parley.js').SearchQuery} [options] */
  search(q, options = {}) {
    return this.list({ ...options, q });
  }
}

/** One message. */
export class MessageHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} thread  its path
   * @param {string} id
   * @param {{channel: string, customer: string}} [owner]
   * @param {{channel?: string, customer?: string, as?: string}} [acting]  goes along with what changes something
   */
  constructor(transport, thread, id, owner, acting = owner) {
    this.transport = transport;
    this.id = id;
    this.base = thread + path`/messages/${id}`;
    this.owner = owner;
    this.acting = acting;
  }

  get() {
    return this.#call('GET');
  }

  /**
   * @param {{text: string}} body
   * @param {import('../parley.js').MatchOptions} options
   */
  async edit(body, options = {}) {
    return this.#call('PATCH', '', body, expected(options));
  }

  /** @param {import('../parley.js').MatchOptions} options */
  async delete(options = {}) {
    return this.#call('DELETE', '', undefined, expected(options));
  }

  /** Tries a failed message again. */
  resend() {
    return this.#call('POST', '/resend');
  }

  /** The replies to it, ascending, around a starting point.
   *  @param {import('../parley.js').ReplyQuery} options */
  replies({ signal, ...options } = {}) {
    /** @type {Record<string, unknown>} */
    const query = { ...this.owner };
    for (const [name, value] of Object.entries(options)) query[name] = Array.isArray(value) ? value.join(',') : value;
    return this.transport.request('GET', `${this.base}/replies`, { query, signal });
  }

  /** Replies to it, as `messages.send` sends.
   *  @param {object} message
   *  @param {import('../parley.js').SendOptions} [options] */
  reply(message, options = {}) {
    return sent(this.transport, `${this.base}/replies`, message, { ...options, query: this.acting });
  }

  /**
   * @param {string} method
   * @param {string} [action]
   * @param {object} [body]
   * @param {string} [ifMatch]
   */
  #call(method, action = '', body = undefined, ifMatch = undefined) {
    const query = method === 'GET' ? this.owner : this.acting;
    return this.transport.request(method, this.base + action, { body, query, ...(ifMatch && { ifMatch }) });
  }
}

/**
 * @param {import('./transport.js').Transport} transport
 * @param {string} where
 * @param {object} message
 * @param {import('../parley.js').SendOptions & {query?: object}} options
 */
function sent(transport, where, message, { query, ...options }) {
  const request = { body: { id: newId(), ...message }, query, signal: options.signal };
  return transport.retrying(() => transport.request('POST', where, request), options);
}
