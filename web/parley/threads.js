/**
 * Threads, of a customer and of the desk.
 *
 * @typedef {import('../parley.js').ThreadQuery | import('../parley.js').DeskThreadQuery} ThreadQuery
 */
import { MessageHandle, Messages } from './messages.js';
import { allItems } from './pages.js';
import { path } from './paths.js';
import { expected } from './transport.js';

/** The threads of one side, as a list. */
class ThreadList {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} base
   */
  constructor(transport, base) {
    this.transport = transport;
    this.base = `${base}/threads`;
  }

  /** Latest activity first.
   *  @param {ThreadQuery} options */
  list({ signal, ...query } = {}) {
    return this.transport.request('GET', this.base, { query, signal });
  }

  /** All of them, page by page.
   *  @param {ThreadQuery} [options] */
  all(options) {
    return allItems((page) => this.list(page), options);
  }

  /** Makes a thread, or answers the one that has this id. `key` makes it safe to repeat.
   *  @param {import('../parley.js').ThreadRequest|import('../parley.js').DeskThreadRequest} body
   *  @param {{key?: string}} options */
  create(body = {}, { key } = {}) {
    return this.transport.request('POST', this.base, { body, key });
  }
}

export class SessionThreads extends ThreadList {}
export class DeskThreads extends ThreadList {}

/** One thread, as far as it is the same on both sides. `owner` goes along with every request, and with what changes
 *  something at the desk goes `agent`, the id of who does it. */
class ThreadHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} base
   * @param {string} id
   * @param {{channel: string, customer: string}} [owner]
   * @param {string} [agent]
   */
  constructor(transport, base, id, owner, agent) {
    this.transport = transport;
    this.id = id;
    this.base = base + path`/threads/${id}`;
    this.owner = owner;
    /** What goes along with what changes something. */
    this.acting = agent === undefined ? owner : { ...owner, as: agent };
    this.messages = new Messages(transport, this.base, owner, this.acting);
  }

  /** One message by its id, without asking the gateway.
   *  @param {string} id */
  message(id) {
    return new MessageHandle(this.transport, this.base, id, this.owner, this.acting);
  }

  get() {
    return this.call('GET');
  }

  /**
   * @param {object} patch  a name that is null is taken away
   * @param {import('../parley.js').MatchOptions} options
   */
  async update(patch, options = {}) {
    return this.call('PATCH', '', patch, expected(options));
  }

  /** Everything up to now counts as read. */
  read() {
    return this.call('POST', '/read');
  }

  /** Hides all messages up to now for ever: for this customer, or at the desk for everybody. */
  resetHistory() {
    return this.call('POST', '/resetHistory');
  }

  /** @param {{isTyping: boolean, text?: string, agent?: import('../parley.js').AgentRequest}} body  `text`: what
   *  stands in the customer's field, `agent`: at the desk */
  typing(body) {
    return this.call('POST', '/typing', body);
  }

  /** The thread and all that was said, oldest first. */
  transcript() {
    return this.call('GET', '/transcript');
  }

  /** Where the same is as a file, to be saved. @param {import('../parley.js').TranscriptOptions} [options] */
  transcriptURL(options = {}) {
    return this.transport.url(`${this.base}/transcript`, { ...this.owner, ...options });
  }

  /**
   * @protected
   * @param {string} method
   * @param {string} [action]
   * @param {object} [body]
   * @param {string} [ifMatch]
   */
  call(method, action = '', body = undefined, ifMatch = undefined) {
    const query = method === 'GET' ? this.owner : this.acting;
    return this.transport.request(method, this.base + action, { body, query, ...(ifMatch && { ifMatch }) });
  }
}

/** A customer's thread. */
export class SessionThread extends ThreadHandle {
  /** @param {import('../parley.js').MatchOptions} options */
  async archive(options = {}) {
    return this.call('POST', '/archive', undefined, expected(options));
  }

  /** Fetches its recent messages from the service. */
  load() {
    return this.call('POST', '/load');
  }

  /** Ends a live chat.
   *  @param {import('../parley.js').MatchOptions} options */
  async end(options = {}) {
    return this.call('POST', '/end', undefined, expected(options));
  }

  /** Has the platform mail what was said, where it can.
   *  @param {{email: string}} body */
  sendTranscript(body) {
    return this.call('POST', '/transcript', body);
  }

  /** Answers a live chat's question whether one is still there.
   *  @param {{answer: 'refresh'|'expire'}} body */
  answerInactivity(body) {
    return this.call('POST', '/inactivity', body);
  }

  /** Rates a conversation that has ended, where the channel asks for it.
   *  @param {{score: number, comment?: string}} body */
  rate(body) {
    return this.call('PUT', '/rating', body);
  }

  /** Withdraws the rating. */
  withdrawRating() {
    return this.call('DELETE', '/rating');
  }

  /** Accepts an invitation. */
  join() {
    return this.call('POST', '/join');
  }

  /** The thread is gone for this customer, invited or joined; `thread.removed` says so. */
  leave() {
    return this.call('POST', '/leave');
  }

  /** Out of the list, until the next message or `unhide`. */
  hide() {
    return this.call('POST', '/hide');
  }

  unhide() {
    return this.call('POST', '/unhide');
  }

  customFields() {
    return this.call('GET', '/customFields');
  }

  /** Merges these into the thread's fields.
   *  @param {Record<string, string>} customFields
   *  @param {import('../parley.js').MatchOptions} options */
  async setCustomFields(customFields, options = {}) {
    return this.call('PUT', '/customFields', { customFields }, expected(options));
  }
}

/** What agents note about one thread, or one customer, for one another. No customer sees a note. */
export class Notes {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} subject  the path of what they are about
   * @param {{channel?: string, customer?: string}} [owner]
   * @param {{channel?: string, customer?: string, as?: string}} [acting]
   */
  constructor(transport, subject, owner, acting) {
    this.transport = transport;
    this.base = `${subject}/notes`;
    this.owner = owner;
    this.acting = acting;
  }

  /** One page, newest first.
   *  @param {import('../parley.js').PageOptions} options */
  list({ signal, ...query } = {}) {
    return this.transport.request('GET', this.base, { query: { ...this.owner, ...query }, signal });
  }

  /** All of them, page by page.
   *  @param {import('../parley.js').PageOptions} [options] */
  all(options) {
    return allItems((page) => this.list(page), options);
  }

  /** `key` makes it safe to repeat.
   *  @param {{text: string, agent?: import('../parley.js').AgentRequest}} body
   *  @param {{key?: string}} options */
  add(body, { key } = {}) {
    return this.transport.request('POST', this.base, { body, query: this.acting, key });
  }

  /** @param {string} id */
  get(id) {
    return this.transport.request('GET', this.base + path`/${id}`, { query: this.owner });
  }

  /** @param {string} id */
  remove(id) {
    return this.transport.request('DELETE', this.base + path`/${id}`, { query: this.acting });
  }
}

/** A thread as the agents see it. */
export class DeskThread extends ThreadHandle {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} base
   * @param {string} id
   * @param {{channel: string, customer: string}} [owner]
   * @param {string} [agent]
   */
  constructor(transport, base, id, owner, agent) {
    super(transport, base, id, owner, agent);
    this.notes = new Notes(transport, this.base, owner, this.acting);
  }

  /** Removes the thread for good, with all that was said.
   *  @param {import('../parley.js').MatchOptions} options */
  remove({ ifMatch } = {}) {
    return this.call('DELETE', '', undefined, ifMatch);
  }

  /** Brings customers of the channel in, or invites them.
   *  @param {import('../parley.js').Member[]} members */
  addMembers(members) {
    return this.call('POST', '/members', { members });
  }

  /** @param {string} member */
  removeMember(member) {
    return this.call('DELETE', path`/members/${member}`);
  }

  /** `ifAgent`: only if the thread is nobody's, the agent's own, or one of both.
   *  @param {import('../parley.js').AgentRequest} agent
   *  @param {import('../parley.js').ClaimOptions} options */
  assign(agent, { ifAgent, ifMatch } = {}) {
    return this.call('POST', '/assign', { agent, ...(ifAgent && { ifAgent }) }, ifMatch);
  }

  /** @param {import('../parley.js').MatchOptions} options */
  close({ ifMatch } = {}) {
    return this.call('POST', '/close', undefined, ifMatch);
  }

  /** Takes its agent away; a live chat waits again.
   *  @param {import('../parley.js').MatchOptions} options */
  release({ ifMatch } = {}) {
    return this.call('POST', '/release', undefined, ifMatch);
  }

  /** Opens a closed one again; a live chat stays closed.
   *  @param {import('../parley.js').MatchOptions} options */
  reopen({ ifMatch } = {}) {
    return this.call('POST', '/reopen', undefined, ifMatch);
  }

  /** Lays it aside until a time.
   *  @param {import('../parley.js').SnoozeRequest} body
   *  @param {import('../parley.js').MatchOptions} options */
  snooze(body, { ifMatch } = {}) {
    return this.call('PUT', '/snooze', body, ifMatch);
  }

  /** Ends a snooze.
   *  @param {import('../parley.js').MatchOptions} options */
  wake({ ifMatch } = {}) {
    return this.call('DELETE', '/snooze', undefined, ifMatch);
  }

  /** Gives it these tags, by their ids, in place of those that it has.
   *  @param {import('../parley.js').ThreadTagsRequest} body
   *  @param {import('../parley.js').MatchOptions} options */
  setTags(body, { ifMatch } = {}) {
    return this.call('PUT', '/tags', body, ifMatch);
  }

  /** Ends its contact: a live chat closes, another thread stays open.
   *  @param {import('../parley.js').MatchOptions} options */
  endContact({ ifMatch } = {}) {
    return this.call('POST', '/endContact', undefined, ifMatch);
  }
}
