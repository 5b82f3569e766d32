import { allItems } from './pages.js';
import { path } from './paths.js';

/** `/v1/webhooks`: the URLs to which the gateway sends events. They need the gateway's token. */
export class Webhooks {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  /** Oldest first.
   *  @param {import('../parley.js').PageOptions} options */
  list({ signal, ...query } = {}) {
    return this.transport.request('GET', '/v1/webhooks', { query, signal });
  }

  /** All of them, page by page.
   *  @param {import('../parley.js').PageOptions} [options] */
  all(options) {
    return allItems((page) => this.list(page), options);
  }

  /** With its secret, which no later answer but that of `rotate` shows. `key` makes it safe to repeat.
   *  @param {import('../parley.js').WebhookRequest} body
   *  @param {{key?: string}} options */
  create(body, { key } = {}) {
    return this.transport.request('POST', '/v1/webhooks', { body, key });
  }
}

/** `/v1/webhooks/{id}` and what lies below. */
export class WebhookHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} id
   */
  constructor(transport, id) {
    this.transport = transport;
    this.id = id;
    this.base = path`/v1/webhooks/${id}`;
  }

  get() {
    return this.transport.request('GET', this.base);
  }

  /**
   * @param {import('../parley.js').WebhookPatch} patch  null takes a member back to its default
   * @param {import('../parley.js').MatchOptions} options
   */
  async update(patch, options = {}) {
    return this.transport.request('PATCH', this.base, { ...options, body: patch });
  }

  delete() {
    return this.transport.request('DELETE', this.base);
  }

  /** Sends one message of the type `webhook.test` now. Resolves when the receiver has answered, or has not in time. */
  test() {
    return this.#post('/test');
  }

  /** Sends nothing until `resume`. */
  pause() {
    return this.#post('/pause');
  }

  /** Goes on from where it stopped, also when it was disabled. */
  resume() {
    return this.#post('/resume');
  }

  /** Gives it a new secret; the old one signs too for `graceSeconds`, a day if absent.
   *  @param {import('../parley.js').RotationRequest} options */
  rotate({ graceSeconds } = {}) {
    return this.#post('/rotate', graceSeconds === undefined ? undefined : { graceSeconds });
  }

  /** Sends again what the log has after a cursor or since a time.
   *  @param {{after: string}|{since: string}} place */
  replay(place) {
    return this.#post('/replay', place);
  }

  /** The newest event first.
   *  @param {import('../parley.js').DeliveryQuery} options */
  deliveries({ signal, ...query } = {}) {
    return this.transport.request('GET', `${this.base}/deliveries`, { query, signal });
  }

  /** @param {string} id */
  delivery(id) {
    return this.transport.request('GET', this.base + path`/deliveries/${id}`);
  }

  /** Sends one delivery again, at once.
   *  @param {string} id */
  redeliver(id) {
    return this.#post(path`/deliveries/${id}/redeliver`);
  }

  /** Sends all dead deliveries again, at once. */
  redeliverDead() {
    return this.#post('/deliveries/redeliver', { state: 'dead' });
  }

  /**
   * @param {string} action
   * @param {object} [body]
   */
  #post(action, body) {
    return this.transport.request('POST', this.base + action, { body });
  }
}
