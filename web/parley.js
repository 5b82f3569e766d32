/**
 * Parley's client library: one file without dependencies, an ES module for browsers and Node 20 (before 20.19: save it as
 * parley.mjs).
 *
 *     import { Parley } from './parley.js';
 *     const parley = new Parley({ baseURL: 'http://127.0.0.1:8787', token });
 *     const session = parley.session((await parley.sessions.create({ channel: 'multi' })).id);
 *     const thread = await session.threads.create();
 *     await session.messages.send(thread.id, { text: 'Hello' });
 *     for await (const event of session.events()) console.log(event.type, event.data);
 *
 * In a page served by Parley itself `new Parley()` is enough: the page's cookie stands for the token.
 *
 * @typedef {{id: string, name?: string, mode: 'singlethread'|'multithread'|'liveChat', capabilities: string[],
 *            fileRestrictions?: {isAttachmentsEnabled: boolean, maximumSize: number, allowedTypes: string[]}, isOnline?: boolean,
 *            preChatSurvey?: Survey}} Channel
 * @typedef {{name: string, fields: {ident: string, label: string, type: 'text'|'email'|'list'|'tree', isRequired?: boolean,
 *            options?: {id: string, label: string, parentId?: string}[]}[]}} Survey
 * @typedef {{id: string, firstName?: string, lastName?: string}} Customer
 * @typedef {{id: string, service: string, channel: Channel, customer: Customer, state: string, mode: string,
 *            connectionError?: Failure, nextAttemptAt?: string, createdAt: string, cursor: string, token?: string}} Session
 * @typedef {{code: string, detail: string}} Failure
 * @typedef {{id: string, name?: string, kind: 'customer'|'agent'|'bot'|'system'}} Author
 * @typedef {{id: string, name: string}} Agent
 * @typedef {{id: string, threadId: string, createdAt: string, updatedAt: string, editedAt?: string,
 *            direction: 'toAgent'|'toClient', author: Author, type: string, customType?: string,
 *            text?: string, content?: object, postback?: string, attachments?: Attachment[],
 *            status: string, failure?: Failure, seenAt?: string, parentId?: string, alsoInThread?: boolean, replyInfo?: ReplyInfo}} Message
 * @typedef {{count: number, mostReplies?: Author[], lastRepliedAt?: string, updatedAt: string}} ReplyInfo
 * @typedef {{id: string, name: string, mimeType: string, size: number}} Attachment
 * @typedef {{id: string, name?: string, state: string, createdAt: string, updatedAt: string, unreadCount: number,
 *            deskUnreadCount: number, canAddMoreMessages: boolean, lastMessage?: Message, agent?: Agent,
 *            queuePosition?: number, inactivityPopup?: object, previousAgent?: Agent, contactId?: string,
 *            members: Customer[], memberState?: 'invited'|'joined', hidden?: boolean, historyResetAt?: string,
 *            lastReadAt?: string, channel?: string, customer?: Customer}} Thread
 * @typedef {Customer & {memberState?: 'invited'|'joined'}} Member  who comes in; without a state joined
 * @typedef {{type: string, id?: string, data: any}} ParleyEvent  `id` is a cursor; ephemeral events have none.
 * @typedef {{state?: 'open'|'closed'|'all', limit?: number, cursor?: string, channel?: string, signal?: AbortSignal}} ListQuery
 * @typedef {{parent: Message|{id: string, unavailable: true}, items: Message[], hasPrevious: boolean, hasNext: boolean,
 *            cursor: string}} Replies
 * @typedef {{items: {message: Message, threadId: string, snippet: {text: string, ranges: [number, number][]}}[], next?: string,
 *            indexedTo?: string, cursor: string}} Found  a range is [start, length] in UTF-16 units, as JavaScript counts
 * @typedef {{kind: 'messages', threadId: string, filter?: object, viewpoint?: string|number, limit?: number, parentId?: string} |
 *           {kind: 'threads', query?: object}} CollectionDefinition  also `holder`: see `Parley.events`; at the desk `channel`
 *            and `customer` beside `threadId`, where several customers use one id
 * @typedef {{id: string, kind: 'messages'|'threads', version: number, items: object[], pending: object[], failed: object[],
 *            hasPrevious: boolean, hasNext: boolean, cursor: string}} Collection
 * @typedef {{id: string, url: string, description?: string, audience: {desk: true}|{session: string}, types: string[],
 *            directions?: string[], channels?: string[], headerNames: string[], concurrency: number,
 *            timeoutSeconds: number, state: 'active'|'failing'|'paused'|'disabled', reason?: string, cursor: string,
 *            lag: number, failingSince?: string, nextAttemptAt?: string, createdAt: string, secret?: string}} Webhook
 * @typedef {{at: string, status?: number, error?: string, milliseconds: number, head?: string}} DeliveryAttempt
 * @typedef {{id: string, event: string, type: string, threadId?: string,
 *            state: 'pending'|'delivered'|'dead'|'expired'|'dropped', reason?: string, attempts: DeliveryAttempt[],
 *            createdAt: string, nextAttemptAt?: string, doneAt?: string}} Delivery
 */

/**
 * One page of a list; `next` leads to older entries, `cursor` is where to follow the events from.
 * @template T
 * @typedef {{items: T[], next?: string, prev?: string, cursor: string}} List
 */

/** A refused or failed request: the members of the gateway's problem (RFC 9457), or status 0 when there was no answer. */
export class ParleyError extends Error {
  /** @param {{code: string, status: number, title?: string, detail?: string, errors?: object[], instance?: string,
   *           retryAfter?: number}} problem  @param {unknown} [cause] */
  constructor(problem, cause) {
    super(problem.detail ?? problem.title ?? problem.code, cause === undefined ? undefined : { cause });
    this.name = 'ParleyError';
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.retryAfter = problem.retryAfter;
  }

  /** Whether the same request may succeed later without anybody changing it. */
  get temporary() {
    return this.status === 0 || [408, 425, 429].includes(this.status) || this.status >= 500;
  }
}

/** Compares two cursors: negative, 0 or positive; NaN when their epochs differ. @param {string} a @param {string} b */
export function compareCursors(a, b) {
  const [x, y] = [a.lastIndexOf('-'), b.lastIndexOf('-')];
  return a.slice(0, x) === b.slice(0, y) ? Number(a.slice(x + 1)) - Number(b.slice(y + 1)) : NaN;
}

/** A new id for a message or a thread (UUID). */
export function newId() {
  const { crypto } = globalThis; // Node 18 has none; without a secure context it has no randomUUID
  if (crypto?.randomUUID) return crypto.randomUUID();
  // An id names, it protects nothing: where there is no better source, Math.random will do.
  const b = crypto ? crypto.getRandomValues(new Uint8Array(16)) : Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  b[6] = (b[6] & 15) | 64;
  b[8] = (b[8] & 63) | 128;
  const hex = [...b].map((n) => n.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** What tells an item of a collection from the others: at the desk, where all customers' threads meet, an id alone does not. */
export function itemKey({ id, channel, customer }) {
  return channel && customer ? JSON.stringify([channel, customer.id ?? customer, id]) : id;
}

/** The lists of a collection as its events name them, and what they are called in a snapshot. */
const LISTS = { succeeded: 'items', pending: 'pending', failed: 'failed' };

/**
 * Applies one event of a collection to what is known of it, as an array is: nothing is compared, sorted or looked for. Pure:
 * answers another list, or the same when the event is older than the list.
 *
 * @template {{version: number, items: object[], pending?: object[], failed?: object[]}} T
 * @param {T} list  a snapshot, or what an earlier call answered; `{version: 0, items: []}` to begin with
 * @param {{type: string, data: {version: number, list?: 'succeeded'|'pending'|'failed', indices?: number[], items?: object[],
 *          ids?: string[], owners?: {channel: string, customer: string}[]}}} event  `owners` with `ids`, of the desk's threads
 * @returns {T|undefined}  undefined: events are missing in between, get a snapshot
 */
export function applyCollectionEvent(list, { type, data }) {
  if (data.version <= list.version) return list;
  if (data.version !== list.version + 1) return undefined;
  const next = { ...list, version: data.version };
  const action = type.replace(/^collection\./, '');
  if (action === 'clear') return { ...next, items: [], pending: [], failed: [] };
  const name = LISTS[data.list ?? 'succeeded'];
  if (!['insert', 'move', 'update', 'remove'].includes(action)) return next; // news, a huge gap, the parent: no list changes
  const { items = [], indices = [] } = data;
  let rows = next[name] ?? [];
  if (action === 'update') {
    const changed = new Map(items.map((item) => [itemKey(item), item]));
    rows = rows.map((row) => changed.get(itemKey(row)) ?? row);
  } else {
    const removed = () => data.ids.map((id, at) => itemKey({ id, ...data.owners?.[at] }));
    const leaving = new Set(action === 'remove' ? removed() : action === 'move' ? items.map(itemKey) : []);
    rows = leaving.size ? rows.filter((row) => !leaving.has(itemKey(row))) : [...rows];
    if (action !== 'remove') items.forEach((item, at) => rows.splice(indices[at], 0, item)); // as after the event, ascending
  }
  return { ...next, [name]: rows };
}

/** The gateway. */
export class Parley {
  /** @param {{baseURL?: string, token?: string, fetch?: typeof fetch, timeout?: number}} [options]
   *  `timeout` in milliseconds holds for one request, not for streams. */
  constructor({ baseURL = globalThis.location?.origin, token, fetch: fetcher, timeout = 30_000 } = {}) {
    if (!baseURL) throw new TypeError('Parley needs a baseURL here');
    this.baseURL = String(baseURL).replace(/\/+$/, '');
    this.token = token;
    this.timeout = timeout;
    this.fetch = fetcher ?? ((...args) => fetch(...args));
    this.sessions = new Sessions(this);
    this.desk = new Desk(this);
    this.webhooks = new Webhooks(this);
  }

  /** One session by its id, without asking the gateway. @param {string} id */
  session(id) {
    return new SessionHandle(this, id);
  }

  /** One webhook by its id, without asking the gateway. @param {string} id */
  webhook(id) {
    return new WebhookHandle(this, id);
  }

  /** @returns {Promise<{name: string, version: string, epoch: string, head: number, services: string[]}>} */
  info() {
    return this.request('GET', '/v1/info');
  }

  /** What clients need to be pushed to. @returns {Promise<{applicationServerKey: string}>} */
  push() {
    return this.request('GET', '/v1/push');
  }

  /** The services with their channels and capabilities. @returns {Promise<{items: {id: string, name?: string,
   *  capabilities: string[], channels: Channel[]}[]}>} */
  services() {
    return this.request('GET', '/v1/services');
  }

  /** One channel as it is now. @param {string} service @param {string} id @returns {Promise<Channel>} */
  channel(service, id) {
    return this.request('GET', path`/v1/services/${service}/channels/${id}`);
  }

  /** Sends one request and returns the decoded answer (undefined for 204).
   *  @param {string} method @param {string} path
   *  @param {{query?: object, body?: object, key?: string, keepalive?: boolean, signal?: AbortSignal}} [options]
   *  `key`: an Idempotency-Key; a POST that is repeated with it happens once. `keepalive`: the request goes on when the page
   *  is left  @throws {ParleyError} */
  async request(method, path, { query, body, key, keepalive = method === 'DELETE', signal } = {}) {
    const limit = AbortSignal.timeout(this.timeout);
    const headers = { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...(key && { 'Idempotency-Key': key }) };
    try {
      const response = await this.fetch(this.#url(path, query), {
        method,
        headers: this.#headers(headers),
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: 'same-origin',
        cache: 'no-store', // a cached page would carry the cursor of its first answer
        keepalive, // what is taken back when a page is left is a DELETE
        signal: signal && AbortSignal.any ? AbortSignal.any([signal, limit]) : (signal ?? limit), // Node 18 has no any
      });
      if (!response.ok) throw await refusal(response);
      const text = await response.text();
      return text ? JSON.parse(text) : undefined;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ParleyError ? error : unreachable(error, limit.aborted);
    }
  }

  /** Runs `action` until it succeeds, fails for good, or `tries` are used up. Only for what may safely happen twice.
   *  @template T @param {() => Promise<T>} action @param {{tries?: number, delay?: number, signal?: AbortSignal}} [options]
   *  @returns {Promise<T>} */
  async retrying(action, { tries = 6, delay = 500, signal } = {}) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof ParleyError && error.temporary) || attempt >= tries) throw error;
        await pause(backOff(delay, attempt, 15_000, error), signal);
      }
    }
  }

  /**
   * Everything that happens to these sessions (and at the desk), in order, each id once. The stream resumes by itself after
   * a drop. It begins with `ready`; after `reset` what was known must be loaded again. It ends when `signal` aborts, and
   * throws when the gateway refuses it for good (401, 403, 404, ...).
   *
   * @param {object} options
   * @param {string[]} [options.sessions]  ids of sessions
   * @param {boolean} [options.desk]
   * @param {string[]} [options.types]  only these; `ready`, `reset` and `ping` always come
   * @param {true|string[]} [options.collections]  the events of the sessions' and the desk's collections too: all, or those
   *   with these ids
   * @param {string[]} [options.holders]  with `collections: true`: only collections whose definitions name one of these
   *   holders, which the gateway keeps for as long as the stream is open, as it does their screens (`sessions.viewing`)
   * @param {string} [options.after]  a cursor: what happened after it is replayed first
   * @param {AbortSignal} [options.signal]
   * @param {(state: 'connecting'|'live'|'waiting', info: {error?: unknown, delay?: number}) => void} [options.onState]
   * @param {number} [options.watchdog]  milliseconds without a byte after which the connection counts as dead
   * @param {number} [options.maxDelay]  the longest pause between two attempts, in milliseconds
   * @returns {AsyncGenerator<ParleyEvent, void, void>}
   */
  events({ sessions = [], desk, types, collections, holders, ...options }) {
    const query = {
      session: sessions,
      desk: desk || undefined,
      types: types?.join(','),
      collections: collections?.toString(),
      holder: holders,
    };
    return this.stream('/v1/events', { query, ...options });
  }

  /** Any event stream of the gateway: resumes and ends as `events` does. @param {string} path
   *  @param {{query?: object, after?: string, signal?: AbortSignal, onState?: Function, watchdog?: number,
   *           maxDelay?: number}} [options]
   *  @returns {AsyncGenerator<ParleyEvent, void, void>} */
  async *stream(path, { query, after, signal, onState = () => {}, watchdog = 40_000, maxDelay = 15_000 } = {}) {
    const url = this.#url(path, query);
    const place = { cursor: after, retry: 2000 };
    for (let failures = 0; !signal?.aborted; ) {
      let problem;
      onState('connecting', {});
      try {
        for await (const event of this.#connection(url, place, watchdog, signal, onState)) {
          failures = 0;
          yield event;
        }
      } catch (error) {
        if (signal?.aborted) return;
        problem = error instanceof ParleyError ? error : unreachable(error);
        if (!problem.temporary) throw problem;
      }
      if (signal?.aborted) return;
      const delay = backOff(place.retry, ++failures, maxDelay, problem);
      onState('waiting', { error: problem, delay });
      await pause(delay, signal).catch(() => {});
    }
  }

  /** `events` for those who prefer a callback; resolves when the stream ends. @param {Parameters<Parley['events']>[0]}
   *  options @param {(event: ParleyEvent) => void} listener */
  async follow(options, listener) {
    for await (const event of this.events(options)) listener(event);
  }

  /** One HTTP answer of a stream. Moves `place.cursor`, so that the next connection resumes there. */
  async *#connection(url, place, watchdog, signal, onState) {
    const connection = new AbortController();
    const stop = () => connection.abort(signal.reason);
    signal?.addEventListener('abort', stop);
    let alarm;
    // Armed only while we wait for the gateway: a consumer that takes its time is not a dead connection.
    const watched = async (promise) => {
      // The alarm itself ends the wait: not every fetch (Node 18's) is sure to pass an abort on to who waits.
      const silence = new Promise((_, reject) => {
        alarm = setTimeout(() => {
          const error = new Error(`nothing came for ${watchdog} ms`);
          connection.abort(error);
          reject(error);
        }, watchdog);
      });
      try {
        return await Promise.race([promise, silence]);
      } finally {
        clearTimeout(alarm);
      }
    };
    try {
      const headers = this.#headers({ Accept: 'text/event-stream' });
      if (place.cursor) headers['Last-Event-ID'] = place.cursor;
      const response = await watched(
        this.fetch(url, { headers, credentials: 'same-origin', cache: 'no-store', signal: connection.signal }),
      );
      if (!response.ok) throw await watched(refusal(response));
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error('not an event stream');
      onState('live', {});
      const reader = response.body.getReader(); // `for await` over a body is not in every browser yet
      const decoder = new TextDecoder();
      const parser = new EventStreamParser();
      for (;;) {
        const { done, value } = await watched(reader.read());
        if (done) return;
        for (const frame of parser.push(decoder.decode(value, { stream: true }))) {
          place.retry = parser.retry ?? place.retry;
          if (isNews(frame, place.cursor)) {
            place.cursor = frame.id ?? place.cursor;
            if (frame.data !== undefined) yield { type: frame.type, id: frame.id, data: decoded(frame.data) };
          }
        }
        place.retry = parser.retry ?? place.retry;
      }
    } finally {
      clearTimeout(alarm);
      signal?.removeEventListener('abort', stop);
      connection.abort(); // the consumer may have left the loop
    }
  }

  /** Sends a file as it is. In browsers `onProgress` tells how far that is. @param {string} path @param {Blob} file
   *  @param {{name: string, query?: object, key?: string, onProgress?: (sent: number, total: number) => void,
   *           signal?: AbortSignal}}
   *  options  @throws {ParleyError} */
  async upload(path, file, { name, query, key, onProgress, signal }) {
    const headers = this.#headers({
      'Content-Type': file.type || 'application/octet-stream',
      'Content-Disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
      ...(key && { 'Idempotency-Key': key }),
    });
    const url = this.#url(path, query);
    if (onProgress && globalThis.XMLHttpRequest) return uploadByXHR(url, file, headers, onProgress, signal);
    try {
      const response = await this.fetch(url, { method: 'POST', headers, body: file, credentials: 'same-origin', signal });
      if (!response.ok) throw await refusal(response);
      onProgress?.(file.size, file.size);
      return await response.json();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ParleyError ? error : unreachable(error);
    }
  }

  #headers(more) {
    return this.token ? { ...more, Authorization: `Bearer ${this.token}` } : more;
  }

  #url(path, query = {}) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, one);
    }
    return this.baseURL + path + (search.size ? `?${search}` : '');
  }
}

/** `/v1/sessions` */
class Sessions {
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
class SessionHandle {
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

/** What the customer's and the desk's threads have in common. `query` goes along with every request on one thread. */
class Threads {
  constructor(parley, base, query) {
    this.parley = parley;
    this.base = `${base}/threads`;
    this.query = query;
  }

  /** Latest activity first. @param {ListQuery} [query] @returns {Promise<List<Thread>>} */
  list({ signal, ...query } = {}) {
    return this.parley.request('GET', this.base, { query, signal });
  }

  /** @param {string} id @returns {Promise<Thread>} */
  get(id) {
    return this.act('GET', id, '');
  }

  /** Everything up to now counts as read. @param {string} id @returns {Promise<void>} */
  read(id) {
    return this.act('POST', id, '/read');
  }

  /** Takes what was said up to now out of sight: the customer's own, or at the desk everybody's, for good.
   *  @param {string} id @returns {Promise<void>} */
  resetHistory(id) {
    return this.act('POST', id, '/resetHistory');
  }

  /** @param {string} id @param {boolean} isTyping @param {Agent} [agent]  who types, at the desk */
  typing(id, isTyping, agent) {
    return this.act('POST', id, '/typing', { isTyping, agent });
  }

  act(method, id, action, body) {
    return this.parley.request(method, this.base + path`/${id}` + action, { body, query: this.query });
  }
}

class SessionThreads extends Threads {
  /** @param {{id?: string, name?: string, customFields?: Record<string, string>}} [body] @returns {Promise<Thread>} */
  create(body = {}) {
    return this.parley.request('POST', this.base, { body });
  }

  /** @param {string} id @param {string|null} name @returns {Promise<Thread>} */
  rename(id, name) {
    return this.act('PATCH', id, '', { name });
  }

  /** @param {string} id @returns {Promise<Thread>} */
  archive(id) {
    return this.act('POST', id, '/archive');
  }

  /** @param {string} id @returns {Promise<Thread>} */
  load(id) {
    return this.act('POST', id, '/load');
  }

  /** Ends a live chat. @param {string} id @returns {Promise<Thread>} */
  end(id) {
    return this.act('POST', id, '/end');
  }

  /** Has the platform mail what was said, where it can. @param {string} id @param {string} email @returns {Promise<void>} */
  sendTranscript(id, email) {
    return this.act('POST', id, '/transcript', { email });
  }

  /** Answers a live chat's question whether one is still there. @param {string} id @param {'refresh'|'expire'} answer
   *  @returns {Promise<Thread>} */
  answerInactivity(id, answer) {
    return this.act('POST', id, '/inactivity', { answer });
  }

  /** Accepts an invitation. @param {string} id @returns {Promise<Thread>} */
  join(id) {
    return this.act('POST', id, '/join');
  }

  /** The thread is gone for this customer, invited or joined; `thread.removed` says so. @param {string} id
   *  @returns {Promise<void>} */
  leave(id) {
    return this.act('POST', id, '/leave');
  }

  /** Out of the list, until the next message or `unhide`. @param {string} id @returns {Promise<Thread>} */
  hide(id) {
    return this.act('POST', id, '/hide');
  }

  /** @param {string} id @returns {Promise<Thread>} */
  unhide(id) {
    return this.act('POST', id, '/unhide');
  }

  /** Reads the thread's fields, or merges `values` into them. @param {string} id @param {Record<string, string>} [values] */
  customFields(id, values) {
    return fields(this.parley, this.base + path`/${id}/customFields`, values);
  }
}

class DeskThreads extends Threads {
  /** A thread of several customers; the first one owns it. @param {{id?: string, channel: string, name?: string,
   *  members: Member[]}} body @returns {Promise<Thread>} */
  create(body) {
    return this.parley.request('POST', this.base, { body });
  }

  /** Brings customers of the channel in, or invites them. @param {string} id @param {Member[]} members
   *  @returns {Promise<Thread>} */
  addMembers(id, members) {
    return this.act('POST', id, '/members', { members });
  }

  /** @param {string} id @param {string} member @returns {Promise<void>} */
  removeMember(id, member) {
    return this.act('DELETE', id, path`/members/${member}`);
  }

  /** @param {string} id @param {Agent} agent @returns {Promise<Thread>} */
  assign(id, agent) {
    return this.act('POST', id, '/assign', { agent });
  }

  /** @param {string} id @returns {Promise<Thread>} */
  close(id) {
    return this.act('POST', id, '/close');
  }

  /** Takes its agent away; a live chat waits again. @param {string} id @returns {Promise<Thread>} */
  release(id) {
    return this.act('POST', id, '/release');
  }

  /** Ends its contact: a live chat closes, another thread stays open. @param {string} id @returns {Promise<Thread>} */
  endContact(id) {
    return this.act('POST', id, '/endContact');
  }
}

/** The messages of any thread of one session, or of the desk. */
class Messages {
  constructor(parley, base, query) {
    this.parley = parley;
    this.base = base;
    this.query = query;
  }

  /** Newest first; `next` of the answer, given as `cursor`, leads to older ones.
   *  @param {string} threadId @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options]
   *  @returns {Promise<List<Message>>} */
  page(threadId, { signal, ...query } = {}) {
    return this.parley.request('GET', this.#path(threadId), { query: { ...this.query, ...query }, signal });
  }

  /** All messages, newest first, page by page. @param {string} threadId @param {{limit?: number, signal?: AbortSignal}}
   *  [options] @returns {AsyncGenerator<Message, void, void>} */
  async *all(threadId, options = {}) {
    for (let cursor, more = true; more; more = cursor !== undefined) {
      const page = await this.page(threadId, { ...options, cursor });
      yield* page.items;
      cursor = page.next;
    }
  }

  /** Sends, and tries again with the same id while the gateway cannot be reached: it takes an id only once.
   *  @param {string} threadId @param {{id?: string, text?: string, postback?: string, type?: string, content?: object,
   *           attachments?: {id: string}[], parentId?: string, alsoInThread?: boolean, customType?: string,
   *           agent?: Agent}} message
   *  @param {{tries?: number, delay?: number, signal?: AbortSignal}} [options] @returns {Promise<Message>} */
  send(threadId, message, options = {}) {
    const request = { body: { id: newId(), ...message }, query: this.query, signal: options.signal };
    return this.parley.retrying(() => this.parley.request('POST', this.#path(threadId), request), options);
  }

  /** @param {string} threadId @param {string} id @returns {Promise<Message>} */
  get(threadId, id) {
    return this.parley.request('GET', this.#path(threadId, id), { query: this.query });
  }

  /** @param {string} threadId @param {string} id @param {string} text @returns {Promise<Message>} */
  edit(threadId, id, text) {
    return this.parley.request('PATCH', this.#path(threadId, id), { body: { text }, query: this.query });
  }

  /** @param {string} threadId @param {string} id @returns {Promise<void>} */
  remove(threadId, id) {
    return this.parley.request('DELETE', this.#path(threadId, id), { query: this.query });
  }

  /** Replies to a message, ascending, around a starting point.
   *  @param {string} threadId @param {string} parentId
   *  @param {{from?: number|string, previous?: number, next?: number, inclusive?: boolean, reverse?: boolean, types?: string[],
   *           customTypes?: string[], senderIds?: string[], signal?: AbortSignal}} [options]  `from`: ms or RFC 3339; the newest
   *  @returns {Promise<Replies>} */
  replies(threadId, parentId, { signal, ...options } = {}) {
    const query = { ...this.query };
    for (const [name, value] of Object.entries(options)) query[name] = Array.isArray(value) ? value.join(',') : value;
    return this.parley.request('GET', `${this.#path(threadId, parentId)}/replies`, { query, signal });
  }

  /** Tries a failed message again. @param {string} threadId @param {string} id @returns {Promise<Message>} */
  resend(threadId, id) {
    return this.parley.request('POST', `${this.#path(threadId, id)}/resend`, { query: this.query });
  }

  /** Messages of one thread that contain these words, newest first. @param {string} threadId @param {string} q
   *  @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options] @returns {Promise<Found>} */
  search(threadId, q, { signal, ...options } = {}) {
    return this.parley.request('GET', this.#path(threadId), { query: { ...this.query, q, ...options }, signal });
  }

  #path(threadId, id) {
    return this.base + path`/threads/${threadId}/messages` + (id === undefined ? '' : path`/${id}`);
  }
}

/** Live, ordered windows on threads or messages. Events alone change one: they come on its own stream (`follow`), and on the
 *  session's or the desk's with `collections`. One that nobody has used for minutes may give its place to another. */
class Collections {
  constructor(parley, base) {
    this.parley = parley;
    this.base = `${base}/collections`;
  }

  /** Empty at first: `fetch` delivers its first page, as an event. @param {CollectionDefinition} definition
   *  @param {{key?: string}} [options] @returns {Promise<Collection>} */
  create(definition, { key } = {}) {
    return this.parley.request('POST', this.base, { body: definition, key });
  }

  /** All of them, without what they show.
   *  @returns {Promise<List<{id: string, version: number, createdAt: string, definition: CollectionDefinition}>>} */
  list() {
    return this.parley.request('GET', this.base);
  }

  /** The list as it is, and its version. @param {string} id @returns {Promise<Collection>} */
  get(id) {
    return this.#act('GET', id);
  }

  /** @param {string} id @returns {Promise<void>} */
  delete(id) {
    return this.#act('DELETE', id);
  }

  /** Asks for more at one end. The answer may come before the event that brings it.
   *  @param {string} id @param {'previous'|'next'} direction @returns {Promise<{hasMore: boolean}>} */
  fetch(id, direction) {
    return this.#act('POST', id, '/fetch', { direction });
  }

  /** Begins anew around another time; without one at the newest. @param {string} id @param {string|number} [viewpoint] */
  setViewpoint(id, viewpoint) {
    return this.#act('POST', id, '/viewpoint', viewpoint === undefined ? {} : { viewpoint });
  }

  /** The list after each of its events, from a snapshot on that joins the stream by its version.
   *  @param {string} id @param {{signal?: AbortSignal, onState?: Function}} [options]
   *  @returns {AsyncGenerator<{list: Collection, event?: ParleyEvent}, void, void>}  without an event: a snapshot */
  async *follow(id, options = {}) {
    let list = await this.get(id);
    yield { list };
    const query = { version: list.version };
    for await (const event of this.parley.stream(this.base + path`/${id}/events`, { ...options, query })) {
      if (event.type !== 'reset' && !event.type.startsWith('collection.')) continue;
      const next = event.type === 'reset' ? undefined : applyCollectionEvent(list, event);
      if (next === list) continue;
      list = next ?? (await this.get(id));
      yield next ? { list, event } : { list };
    }
  }

  #act(method, id, action = '', body = undefined) {
    return this.parley.request(method, this.base + path`/${id}` + action, { body });
  }
}

/** Files that messages carry. */
class Attachments {
  constructor(parley, base, query) {
    this.parley = parley;
    this.base = `${base}/attachments`;
    this.query = query;
  }

  /** Uploads a file; `messages.send` takes the answer's id. Safe to repeat with the same `key`.
   *  @param {Blob} file @param {{name?: string, key?: string, onProgress?: (sent: number, total: number) => void,
   *  signal?: AbortSignal}} [options] @returns {Promise<Attachment>} */
  upload(file, options = {}) {
    return this.parley.upload(this.base, file, { query: this.query, ...options, name: options.name ?? file.name ?? 'file' });
  }

  /** Where its content is. @param {string} id */
  url(id) {
    const query = this.query ? `?${new URLSearchParams(this.query)}` : '';
    return this.parley.baseURL + this.base + path`/${id}` + query;
  }
}

/** `/v1/desk`: the agents' side of the embedded service. */
class Desk {
  constructor(parley, query) {
    this.parley = parley;
    this.threads = new DeskThreads(parley, '/v1/desk', query);
    this.messages = new Messages(parley, '/v1/desk', query);
    this.collections = new Collections(parley, '/v1/desk');
    this.attachments = new Attachments(parley, '/v1/desk', query);
  }

  /** As a session's `search`. @param {string} q @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options] */
  search(q, options) {
    return search(this.parley, '/v1/desk', q, options);
  }

  /** The desk, meaning the threads of one customer: for thread ids that several customers use.
   *  @param {{channel: string, customer: string}} account */
  of(account) {
    return new Desk(this.parley, account);
  }

  /** @returns {Promise<List<Channel>>} */
  channels() {
    return this.parley.request('GET', '/v1/desk/channels');
  }

  /** @param {{id: string, name?: string, mode: 'singlethread'|'multithread'|'liveChat'}} body @returns {Promise<Channel>} */
  addChannel(body) {
    return this.parley.request('POST', '/v1/desk/channels', { body });
  }

  /** @param {string} id @param {object} patch  members that are null are taken away @returns {Promise<Channel>} */
  updateChannel(id, patch) {
    return this.parley.request('PATCH', path`/v1/desk/channels/${id}`, { body: patch });
  }

  /** Whether new live chats can begin. @param {string} id @param {boolean} isOnline @returns {Promise<Channel>} */
  setAvailability(id, isOnline) {
    return this.parley.request('PUT', path`/v1/desk/channels/${id}/availability`, { body: { isOnline } });
  }

  /** The desk's events: see `Parley.events`. @param {Omit<Parameters<Parley['events']>[0], 'sessions'|'desk'>} [options] */
  events(options = {}) {
    return this.parley.events({ ...options, desk: true });
  }
}

/** `/v1/webhooks`: the URLs to which the gateway sends events. They need the gateway's token. */
class Webhooks {
  constructor(parley) {
    this.parley = parley;
  }

  /** Oldest first. @param {{limit?: number, cursor?: string, signal?: AbortSignal}} [options] @returns {Promise<List<Webhook>>} */
  list({ signal, ...query } = {}) {
    return this.parley.request('GET', '/v1/webhooks', { query, signal });
  }

  /** @param {{id?: string, url: string, description?: string, audience?: {desk: true}|{session: string}, types?: string[],
   *           directions?: ('toClient'|'toAgent')[], channels?: string[], headers?: Record<string, string>,
   *           concurrency?: number, timeoutSeconds?: number, after?: string}} body
   *  @param {{key?: string}} [options]  `key`: makes it safe to repeat
   *  @returns {Promise<Webhook>}  with its secret, which no later answer but that of `rotate` shows */
  create(body, { key } = {}) {
    return this.parley.request('POST', '/v1/webhooks', { body, key });
  }
}

/** `/v1/webhooks/{id}` and what lies below. */
class WebhookHandle {
  constructor(parley, id) {
    this.parley = parley;
    this.id = id;
    this.base = path`/v1/webhooks/${id}`;
  }

  /** @returns {Promise<Webhook>} */
  get() {
    return this.parley.request('GET', this.base);
  }

  /** @param {object} patch  null takes a member back to its default @returns {Promise<Webhook>} */
  update(patch) {
    return this.parley.request('PATCH', this.base, { body: patch });
  }

  /** @returns {Promise<void>} */
  delete() {
    return this.parley.request('DELETE', this.base);
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
    return this.parley.request('GET', `${this.base}/deliveries`, { query, signal });
  }

  /** @param {string} id @returns {Promise<Delivery>} */
  delivery(id) {
    return this.parley.request('GET', this.base + path`/deliveries/${id}`);
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
    return this.parley.request('POST', this.base + action, { body });
  }
}

/** Parses text/event-stream, however it is cut into chunks. */
export class EventStreamParser {
  #rest = '';
  #afterCR = false;
  #type = '';
  #data;
  #id;

  /** What the last `retry:` field said, in milliseconds. @type {number|undefined} */
  retry;

  /** @param {string} text  the next piece of the stream
   *  @returns {{type: string, id?: string, data?: string}[]}  complete events; one without data only moves the id */
  push(text) {
    const frames = [];
    let from = 0;
    // A CR ends its line at once; an LF that follows belongs to it, even at the start of the next chunk.
    if (this.#afterCR && text.length > 0) {
      if (text[0] === '\n') from = 1;
      this.#afterCR = false;
    }
    for (const end = /\r\n|\r|\n/g; ; ) {
      end.lastIndex = from;
      const match = end.exec(text);
      if (!match) break;
      this.#line(this.#rest + text.slice(from, match.index), frames);
      this.#rest = '';
      from = match.index + match[0].length;
      this.#afterCR = match[0] === '\r' && from === text.length;
    }
    this.#rest += text.slice(from);
    return frames;
  }

  #line(line, frames) {
    if (line === '') {
      if (this.#data !== undefined || this.#id !== undefined) {
        frames.push({ type: this.#type || 'message', id: this.#id, data: this.#data });
      }
      this.#type = '';
      this.#data = this.#id = undefined;
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#type = value;
    else if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
  }
}

/** Whether a frame is to be delivered: `reset` always is, an event without id too, others only beyond the cursor. */
function isNews(frame, cursor) {
  if (!frame.id || !cursor || ['reset', 'ready', 'ping'].includes(frame.type)) return true;
  return !(compareCursors(frame.id, cursor) <= 0);
}

function decoded(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The answer's problem as an error, also when something between us and the gateway answered. */
async function refusal(response) {
  const text = await response.text();
  const wait = Number(response.headers.get('retry-after')) || undefined;
  let problem = {};
  try {
    problem = JSON.parse(text) ?? {};
  } catch {
    problem.detail = `${response.status} ${response.statusText}`.trim();
  }
  return new ParleyError({ code: 'unknown', retryAfter: wait, ...problem, status: response.status });
}

function unreachable(cause, timedOut = false) {
  const code = timedOut ? 'timeout' : 'unreachable';
  return new ParleyError({ code, status: 0, detail: 'The gateway did not answer.' }, cause);
}

/** The pause before the next attempt: doubling, spread over 0.5 to 1.5 of itself, never below what the gateway asked for. */
function backOff(base, attempt, most, problem) {
  const wait = Math.min(most, Math.max(10, base) * 2 ** (attempt - 1)) * (0.5 + Math.random());
  return Math.max(wait, (problem?.retryAfter ?? 0) * 1000);
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const done = () => (signal?.removeEventListener('abort', stop), resolve());
    const timer = setTimeout(done, ms);
    const stop = () => (clearTimeout(timer), reject(signal.reason));
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function fields(parley, where, values) {
  return values ? parley.request('PUT', where, { body: { customFields: values } }) : parley.request('GET', where);
}

function search(parley, base, q, { signal, ...options } = {}) {
  return parley.request('GET', `${base}/search`, { query: { q, ...options }, signal });
}

/** fetch tells nothing of an upload's progress. */
function uploadByXHR(url, file, headers, onProgress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => (request.abort(), reject(signal.reason));
    if (signal?.aborted) return reject(signal.reason);
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onerror = request.ontimeout = () => reject(unreachable());
    request.onload = async () => {
      const { status, statusText, responseText } = request;
      if (status >= 200 && status < 300) return resolve(decoded(responseText));
      const retry = request.getResponseHeader('retry-after');
      reject(await refusal(new Response(responseText, { status, statusText, headers: retry ? { 'Retry-After': retry } : {} })));
    };
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop, { once: true });
    request.send(file);
  });
}

/** For `filename*` (RFC 8187): narrower than what encodeURIComponent leaves as it is. */
function encoded(name) {
  return encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Tagged template that escapes what is put into a path. */
function path(strings, ...values) {
  return strings.reduce((all, part, i) => all + encodeURIComponent(values[i - 1]) + part);
}
