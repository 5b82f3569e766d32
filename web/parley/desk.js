/** `/v1/desk`: the agents' side of the embedded service. */
import { allItems } from './pages.js';
import { path } from './paths.js';
import { DeviceHandle } from './session-parts.js';
import { Side } from './side.js';
import { DeskThread, DeskThreads, Notes } from './threads.js';

export class Desk extends Side {
  /** @param {import('./gateway.js').Parley} parley */
  constructor(parley) {
    super(parley, '/v1/desk');
    this.threads = new DeskThreads(parley, this.base);
    this.channels = new DeskChannels(parley);
    this.agents = new DeskAgents(parley);
    this.answers = new DeskAnswers(parley);
    this.devices = new DeskDevices(parley);
    this.customers = new DeskCustomers(parley);
    this.presence = new DeskPresence(parley);
    this.tags = new DeskTags(parley);
  }

  /** One thread by its id, without asking the gateway.
   *  @param {string} id
   *  @param {{owner?: {channel: string, customer: string}, agent?: string}} options  `owner`: for an id that several
   *    customers use; `agent`: the id of who does what is done through this handle */
  thread(id, { owner, agent } = {}) {
    return new DeskThread(this.parley, this.base, id, owner, agent);
  }

  /** One customer by their id, without asking the gateway.
   *  @param {string} id
   *  @param {{channel?: string, agent?: string}} [options]  `channel`: for an id that customers of several channels have;
   *    `agent`: the id of who does what is done through this handle */
  customer(id, options) {
    return new CustomerHandle(this.parley, id, options);
  }

  /** One channel by its id, without asking the gateway.
   *  @param {string} id */
  channel(id) {
    return new DeskChannel(this.parley, id);
  }

  /** How many open threads are where.
   *  @param {{channel?: string[]}} [options]  only those of these channels */
  counts(options = {}) {
    return this.parley.request('GET', '/v1/desk/counts', { query: { ...options } });
  }

  /** Figures on the desk's work.
   *  @param {import('../parley.js').ReportQuery} [options] */
  report(options = {}) {
    return this.parley.request('GET', '/v1/desk/reports', { query: { ...options } });
  }

  /** Conversations for another place, without messages and notes.
   *  @param {import('../parley.js').ExportQuery} [options] */
  exported(options = {}) {
    return this.parley.request('GET', '/v1/desk/export', { query: { ...options } });
  }

  /** Adds a conversation from another place. The same again changes nothing.
   *  @param {import('../parley.js').ImportRequest} body
   *  @param {import('../parley.js').ImportOptions} [options] */
  importThread(body, options = {}) {
    const { key, ...query } = options;
    return this.parley.request('POST', '/v1/desk/import', { body, query, key });
  }

  /** One device by its id, without asking the gateway.
   *  @param {string} id */
  device(id) {
    return new DeviceHandle(this.parley, path`/v1/desk/devices/${id}`);
  }

  /** The desk's events: see `Parley.events`.
   *  @param {import('../parley.js').EventOptions} [options] */
  events(options = {}) {
    return this.parley.events({ ...options, desk: true });
  }
}

/** The words with which the desk sorts its threads. */
class DeskTags {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  /** In their order. */
  list() {
    return this.transport.request('GET', '/v1/desk/tags');
  }

  /** `key` makes it safe to repeat.
   *  @param {import('../parley.js').DeskTagRequest} body
   *  @param {{key?: string}} options */
  create(body, { key } = {}) {
    return this.transport.request('POST', '/v1/desk/tags', { body, key });
  }

  /** @param {string} id */
  get(id) {
    return this.transport.request('GET', path`/v1/desk/tags/${id}`);
  }

  /** @param {string} id
   *  @param {import('../parley.js').DeskTagPatch} patch */
  update(id, patch) {
    return this.transport.request('PATCH', path`/v1/desk/tags/${id}`, { body: patch });
  }

  /** Takes it off all threads.
   *  @param {string} id */
  remove(id) {
    return this.transport.request('DELETE', path`/v1/desk/tags/${id}`);
  }
}

/** Who was at work at the desk. */
class DeskAgents {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  /** The one who was at work last comes first. */
  list() {
    return this.transport.request('GET', '/v1/desk/agents');
  }
}

/** Who is at the desk now. */
class DeskPresence {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  list() {
    return this.transport.request('GET', '/v1/desk/presence');
  }

  /** Says that an agent is there, for a minute.
   *  @param {import('../parley.js').PresenceRequest} body
   *  @param {import('../parley.js').PresencePlace} [options] */
  set(body, options = {}) {
    return this.transport.request('PUT', '/v1/desk/presence', { query: { ...options }, body });
  }
}

/** The customers of the embedded service. */
class DeskCustomers {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  /** One page of those whose id, e-mail address or name begins with `q`.
   *  @param {import('../parley.js').CustomerQuery} options */
  list({ signal, ...query } = {}) {
    return this.transport.request('GET', '/v1/desk/customers', { query, signal });
  }

  /** All of them, page by page.
   *  @param {import('../parley.js').CustomerQuery} [options] */
  all(options) {
    return allItems((page) => this.list(page), options);
  }

  /** Erases all that is kept of a customer, for ever.
   *  @param {string} id
   *  @param {import('../parley.js').CustomerPlace} [options] */
  erase(id, options = {}) {
    return this.transport.request('DELETE', path`/v1/desk/customers/${id}`, { query: { ...options } });
  }

  /** Where all that is kept of a customer is as a file, to be saved.
   *  @param {string} id
   *  @param {import('../parley.js').CustomerExportOptions} [options] */
  exportURL(id, options = {}) {
    return this.transport.url(path`/v1/desk/customers/${id}/export`, { ...options });
  }
}

/** What the desk knows of one customer. */
class CustomerHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} id
   * @param {{channel?: string, agent?: string}} options
   */
  constructor(transport, id, { channel, agent } = {}) {
    this.transport = transport;
    this.id = id;
    this.base = path`/v1/desk/customers/${id}`;
    this.where = { channel };
    this.acting = { channel, as: agent };
    this.notes = new Notes(transport, this.base, this.where, this.acting);
  }

  get() {
    return this.transport.request('GET', this.base, { query: this.where });
  }

  /** Members that are null are taken away.
   *  @param {import('../parley.js').DeskCustomerPatch} body */
  update(body) {
    return this.transport.request('PATCH', this.base, { query: this.acting, body });
  }
}

/** The answers that agents keep for all of them. */
class DeskAnswers {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  /** By name. */
  list() {
    return this.transport.request('GET', '/v1/desk/answers');
  }

  /** The answer that has this name gets the text. `key` makes it safe to repeat.
   *  @param {import('../parley.js').CannedAnswerRequest} body
   *  @param {{key?: string}} options */
  keep(body, { key } = {}) {
    return this.transport.request('POST', '/v1/desk/answers', { body, key });
  }

  /** @param {string} id */
  get(id) {
    return this.transport.request('GET', path`/v1/desk/answers/${id}`);
  }

  /** @param {string} id */
  remove(id) {
    return this.transport.request('DELETE', path`/v1/desk/answers/${id}`);
  }
}

/** The channels of the embedded service. */
class DeskChannels {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  list() {
    return this.transport.request('GET', '/v1/desk/channels');
  }

  /** `key` makes it safe to repeat.
   *  @param {import('../parley.js').ChannelRequest} body
   *  @param {{key?: string}} options */
  create(body, { key } = {}) {
    return this.transport.request('POST', '/v1/desk/channels', { body, key });
  }
}

/** The browsers of agents that are told of what customers write. */
class DeskDevices {
  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.transport = transport;
  }

  list() {
    return this.transport.request('GET', '/v1/desk/devices');
  }

  /** Registers a browser. The same subscription again changes the device that there is. `key` makes it safe to repeat.
   *  @param {import('../parley.js').WebPushDeviceRequest} body
   *  @param {{key?: string}} options */
  create(body, { key } = {}) {
    return this.transport.request('POST', '/v1/desk/devices', { body, key });
  }
}

/** One channel of the embedded service. */
class DeskChannel {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} id
   */
  constructor(transport, id) {
    this.transport = transport;
    this.id = id;
    this.base = path`/v1/desk/channels/${id}`;
  }

  get() {
    return this.transport.request('GET', this.base);
  }

  /** @param {object} patch  members that are null are taken away */
  update(patch) {
    return this.transport.request('PATCH', this.base, { body: patch });
  }

  /** Whether new live chats can begin.
   *  @param {{isOnline: boolean}} body */
  setAvailability(body) {
    return this.transport.request('PUT', `${this.base}/availability`, { body });
  }
}
