/**
 * The gateway's webhooks, kept up to date while somebody looks at them. A change of state comes as an event. No event
 * tells how many events wait, or when the next attempt is: that is asked for every few seconds. `change` tells that
 * something may be different, `problem` (detail: the error) that the gateway refused or did not answer.
 */
import { lastFailure } from './webhook-format.js';

const PAGE = 200; // the gateway keeps at most 100 webhooks, and 256 deliveries that wait

export class WebhookWatch extends EventTarget {
  /** Oldest first; undefined until they are loaded. @type {import('../parley.js').Webhook[]|undefined} */
  items;

  #parley;
  #stream;
  #interval;
  #timer;
  #loading;
  #isStale = false; // something happened since the request that is on its way
  #failures = new Map(); // id -> {key, attempt}: the last failure of a webhook in the state that `key` names

  /** @param {import('../parley.js').Parley} parley @param {EventTarget} stream  its `event`s are the desk's
   *  @param {{interval?: number}} [options]  milliseconds between two looks */
  constructor(parley, stream, { interval = 5000 } = {}) {
    super();
    this.#parley = parley;
    this.#stream = stream;
    this.#interval = interval;
  }

  /** Begins. @returns {Promise<void>}  resolves when they are loaded, or could not be */
  start() {
    this.#stream.addEventListener('event', this.#heard);
    this.#timer = setInterval(() => globalThis.document?.visibilityState !== 'hidden' && this.reload(), this.#interval);
    return this.reload();
  }

  stop() {
    this.#stream.removeEventListener('event', this.#heard);
    clearInterval(this.#timer);
  }

  /** @param {string} id @returns {import('../parley.js').Webhook|undefined} */
  get(id) {
    return this.items?.find((one) => one.id === id);
  }

  /** The latest try that failed, of one that is failing or disabled. @param {string} id
   *  @returns {import('../parley.js').DeliveryAttempt|undefined} */
  lastFailure(id) {
    return this.#failures.get(id)?.attempt;
  }

  /** Loads them anew: once more if that was asked for while a request was on its way. @returns {Promise<void>} */
  reload() {
    this.#isStale = true;
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load() {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        const { items } = await this.#parley.webhooks.list({ limit: PAGE });
        const troubled = items.filter(({ state }) => isTroubled(state));
        const failures = await Promise.all(troubled.map((one) => this.#failure(one)));
        this.items = items;
        this.#failures = new Map(failures);
        this.dispatchEvent(new Event('change'));
      } catch (error) {
        this.dispatchEvent(new CustomEvent('problem', { detail: error }));
      }
    }
  }

  /** [id, {key, attempt}]; asked of the gateway only when another attempt has been made. */
  async #failure({ id, state, failingSince, nextAttemptAt }) {
    const key = JSON.stringify([state, failingSince, nextAttemptAt]);
    const known = this.#failures.get(id);
    if (known?.key === key) return [id, known];
    const { items } = await this.#parley.webhook(id).deliveries({ limit: PAGE });
    return [id, { key, attempt: lastFailure(items) }];
  }

  #heard = ({ detail: { type } }) => {
    if (type === 'webhook.updated' || type === 'reset') this.reload();
  };
}

const isTroubled = (state) => state === 'failing' || state === 'disabled';
