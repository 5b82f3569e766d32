/** The single parts of a session: its customer, its device, and its screens. */

class Part {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} session  its path
   * @param {string} name
   */
  constructor(transport, session, name) {
    this.transport = transport;
    this.base = `${session}/${name}`;
  }

  get() {
    return this.transport.request('GET', this.base);
  }
}

export class CustomerOfSession extends Part {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} session  its path
   */
  constructor(transport, session) {
    super(transport, session, 'customer');
  }

  /** @param {{firstName?: string, lastName?: string, imageUrl?: string}} body
   *  @param {import('../parley.js').MatchOptions} options */
  set(body, options = {}) {
    return this.transport.request('PUT', this.base, { ...options, body });
  }

  /** Erases all that is kept of the customer on the channel, for ever, and ends the session. */
  erase() {
    return this.transport.request('DELETE', this.base);
  }

  customFields() {
    return this.transport.request('GET', `${this.base}/customFields`);
  }

  /** Merges these into the customer's fields.
   *  @param {Record<string, string>} customFields
   *  @param {import('../parley.js').MatchOptions} options */
  setCustomFields(customFields, options = {}) {
    return this.transport.request('PUT', `${this.base}/customFields`, { ...options, body: { customFields } });
  }
}

/** A device that is told of messages: a session's, or one of the desk's (`desk.device(id)`). */
export class DeviceHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} base  its path
   */
  constructor(transport, base) {
    this.transport = transport;
    this.base = base;
  }

  get() {
    return this.transport.request('GET', this.base);
  }

  delete() {
    return this.transport.request('DELETE', this.base);
  }

  /** Sends one push now, and says what came of it. */
  test() {
    return this.transport.request('POST', `${this.base}/test`);
  }

  /** The pushes to it, the newest first.
   *  @param {import('../parley.js').DeliveryQuery} options */
  deliveries({ signal, ...query } = {}) {
    return this.transport.request('GET', `${this.base}/deliveries`, { query, signal });
  }
}

/** The device that is told of messages while nobody follows the session. */
export class DeviceOfSession extends DeviceHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} session  its path
   */
  constructor(transport, session) {
    super(transport, `${session}/device`);
  }

  /** Registers it, in place of one that there is.
   *  @param {import('../parley.js').DeviceRequest} body */
  set(body) {
    return this.transport.request('PUT', this.base, { body });
  }
}

/** Which threads are on screens: messages in others come as `notification`. */
export class ViewingOfSession extends Part {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} session  its path
   */
  constructor(transport, session) {
    super(transport, session, 'viewing');
  }

  /** Says which thread is on the screen, or none. A holder has a screen of its own, for as long as a stream names it.
   *  @param {{threadId?: string, holder?: string}} body */
  set(body) {
    return this.transport.request('PUT', this.base, { body, keepalive: true });
  }

  /** No screen any more, and no notifications; with holders only their screens end.
   *  @param {{holders?: string[]}} options */
  delete({ holders } = {}) {
    return this.transport.request('DELETE', this.base, { query: { holder: holders } });
  }
}
