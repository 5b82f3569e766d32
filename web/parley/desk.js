import { Attachments } from './attachments.js';
import { Collections } from './collections.js';
import { Messages } from './messages.js';
import { path } from './paths.js';
import { search } from './search.js';
import { DeskThreads } from './threads.js';

/** `/v1/desk`: the agents' side of the embedded service. */
export class Desk {
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
