import { path } from './paths.js';

/** `/v1/webhooks`: the URLs to which the gateway sends events. They need the gateway's token. */
export class Webhooks {
  constructor(transport) {
    this.transport = transport;
  }

  /** Oldest first. @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options] @returns {Promise<List<Webhook>>} */
  list({ signal, ...query } = {}) {
    return this.transport.request('GET', '/v1/webhooks', { query, signal });
  }

  /** @param {{id?: string, url: string, description?: string, audience?: {desk: true}|{session: string}, types?: string[],
   *           directions?: ('toClient'|'toAgent')[], channels?: string[], headers?: Record<string, string>,
   *           concurrency?: number, timeoutSeconds?: number, after?: string}} body
   *  @param {{key?: string}} [options]  `key`: makes it safe to repeat
   *  @returns {Promise<Webhook>}  with its secret, which no later answer but that of `rotate` shows */
  create(body, { key } = {}) {
    return this.transport.request('POST', '/v1/webhooks', { body, key });
  }
}

/** `/v1/webhooks/{id}` and what lies below. */
export class WebhookHandle {
  constructor(transport, id) {
    this.transport = transport;
    this.id = id;
    this.base = path`/v1/webhooks/${id}`;
  }

  /** @returns {Promise<Webhook>} */
  get() {
    return this.transport.request('GET', this.base);
  }

  /** @param {object} patch  null takes a member back to its default @returns {Promise<Webhook>} */
  update(patch) {
    return this.transport.request('PATCH', this.base, { body: patch });
  }

  /** @returns {Promise<void>} */
  delete() {
    return this.transport.request('DELETE', this.base);
  }

  /** Sends one message of the type `webhook.test` now. Resolves when the receiver has answered, or has not in time.
   *  @returns {Promise<Delivery>} */
  test() {
    return this.#post('/test');
  }

  /** Sends nothing until `resume`. @returns {Promise<Webhook>} */
  pause() {
    return this.#post('/pause');
  }

  /** Goes on from where it stopped, also when it was disabled. @returns {Promise<Webhook>} */
  resume() {
    return this.#post('/resume');
  }

  /** Gives it a new secret; the old one signs too for `graceSeconds`, a day if absent.
   *  @param {{graceSeconds?: number}} [options] @returns {Promise<Webhook>}  with the new secret */
  rotate({ graceSeconds } = {}) {
    return this.#post('/rotate', graceSeconds === undefined ? undefined : { graceSeconds });
  }

  /** Sends again what the log has after a cursor or since a time. @param {{after: string}|{since: string}} place
   *  @returns {Promise<Webhook>} */
  replay(place) {
    return this.#post('/replay', place);
  }

  /** The newest event first. @param {{state?: string, limit?: number, cursor?: string, signal?: AbortSignal}} [options]
   *  @returns {Promise<List<Delivery>>} */
  deliveries({ signal, ...query } = {}) {
    return this.transport.request('GET', `${this.base}/deliveries`, { query, signal });
  }

  /** @param {string} id @returns {Promise<Delivery>} */
  delivery(id) {
    return this.transport.request('GET', this.base + path`/deliveries/${id}`);
  }

  /** Sends one delivery again, at once. @param {string} id @returns {Promise<Delivery>} */
  redeliver(id) {
    return this.#post(path`/deliveries/${id}/redeliver`);
  }

  /** Sends all dead deliveries again, at once. @returns {Promise<{count: number}>} */
  redeliverDead() {
    return this.#post('/deliveries/redeliver', { state: 'dead' });
  }

  #post(action, body) {
    return this.transport.request('POST', this.base + action, { body });
  }
}
