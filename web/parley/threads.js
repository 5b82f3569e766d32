/** Threads, of a customer and of the desk. */
import { fields } from './custom-fields.js';
import { path } from './paths.js';

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

export class SessionThreads extends Threads {
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

export class DeskThreads extends Threads {
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
