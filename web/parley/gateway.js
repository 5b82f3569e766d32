/** The library's root. */
import { Desk } from './desk.js';
import { path } from './paths.js';
import { SessionHandle, Sessions } from './sessions.js';
import { Transport } from './transport.js';
import { WebhookHandle, Webhooks } from './webhooks.js';

/** A list as a query has it; none, if it is empty.
 *  @param {string[]} [names] */
const listed = (names) => names?.join(',') || undefined;

/** The gateway. */
export class Parley extends Transport {
  /** @param {import('../parley.js').ParleyOptions} [options] */
  constructor(options) {
    super(options);
    this.sessions = new Sessions(this);
    this.desk = new Desk(this);
    this.webhooks = new Webhooks(this);
  }

  /** One session by its id, without asking the gateway.
   *  @param {string} id */
  session(id) {
    return new SessionHandle(this, id);
  }

  /** One webhook by its id, without asking the gateway.
   *  @param {string} id */
  webhook(id) {
    return new WebhookHandle(this, id);
  }

  info() {
    return this.request('GET', '/v1/info');
  }

  /** What clients need to be pushed to. */
  push() {
    return this.request('GET', '/v1/push');
  }

  /** The services with their channels and capabilities. */
  services() {
    return this.request('GET', '/v1/services');
  }

  /** One channel as it is now.
   *  @param {{service: string, channel: string}} where */
  channel({ service, channel }) {
    return this.request('GET', path`/v1/services/${service}/channels/${channel}`);
  }

  /**
   * Everything that happens to these sessions (and at the desk), in order, each id once. The stream resumes by itself
   * after a drop. It begins with `ready`; after `reset` what was known must be loaded again. It ends when `signal`
   * aborts, and throws when the gateway refuses it for good (401, 403, 404, ...).
   *
   * @param {import('../parley.js').AllEventOptions} options
   */
  events({ sessions = [], desk, all, types, collections, holders, ...options }) {
    const query = {
      session: sessions,
      desk: desk || undefined,
      all: all || undefined,
      types: listed(types),
      collections: collections === true || listed(collections),
      holder: holders,
    };
    return this.stream('/v1/events', { query, ...options });
  }

  /**
   * One page of the same events: `cursor` is where to go on, and without a beginning the page says where the log ends.
   * With `wait` a page that would be empty waits so many seconds. What is live only is on no page.
   *
   * @param {import('../parley.js').EventPageOptions} options
   */
  eventPage({ sessions = [], desk, all, types, signal, ...place }) {
    const query = { session: sessions, desk: desk || undefined, all: all || undefined, types: listed(types), ...place };
    return this.request('GET', '/v1/events', { query, wait: place.wait, signal });
  }

  /** `events` for those who prefer a callback; resolves when the stream ends.
   *  @param {import('../parley.js').AllEventOptions} options
   *  @param {(event: import('../parley.js').ParleyEvent) => void} listener */
  async follow(options, listener) {
    for await (const event of this.events(options)) listener(event);
  }
}
