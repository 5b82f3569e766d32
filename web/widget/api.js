/** The gateway as a visitor sees it. */
import { path } from '../parley/paths.js';
import { Requests } from './requests.js';

/** What needs no session. */
export const door = {
  /** @param {string} channel */
  challenge: (channel) => new Requests().ask('GET', path`/v1/visitors/challenge?channel=${channel}`),
  /** @param {object} body */
  begin: (body) => new Requests().ask('POST', '/v1/visitors', body),
};

/** What a session may do; requests throw ParleyError. */
export class SessionApi {
  #requests;
  #base;

  /** @param {{session: string, token: string}} record */
  constructor({ session, token }) {
    this.#requests = new Requests(token);
    this.#base = path`/v1/sessions/${session}`;
  }

  get = () => this.#ask('GET');
  end = () => this.#ask('DELETE');
  connect = () => this.#ask('POST', '/connect');
  identify = (identity) => this.#ask('POST', '/identity', { identity });
  erase = () => this.#ask('DELETE', '/customer');
  unread = () => this.#ask('GET', '/unread');
  tickets = (body) => this.#ask('POST', '/tickets', body);
  channel = (service, channel) => this.#requests.ask('GET', path`/v1/services/${service}/channels/${channel}`);

  threads = () => this.#ask('GET', '/threads?limit=50');
  createThread = (body) => this.#ask('POST', '/threads', body);
  setFields = (thread, customFields) => this.#ask('PUT', path`/threads/${thread}/customFields`, { customFields });
  read = (thread) => this.#ask('POST', path`/threads/${thread}/read`);
  typing = (thread, isTyping) => this.#ask('POST', path`/threads/${thread}/typing`, { isTyping });
  endChat = (thread) => this.#ask('POST', path`/threads/${thread}/end`);
  inactivity = (thread, answer) => this.#ask('POST', path`/threads/${thread}/inactivity`, { answer });
  rate = (thread, body) => this.#ask('PUT', path`/threads/${thread}/rating`, body);
  send = (thread, body) => this.#ask('POST', path`/threads/${thread}/messages`, body);
  resend = (thread, id) => this.#ask('POST', path`/threads/${thread}/messages/${id}/resend`);
  remove = (thread, id) => this.#ask('DELETE', path`/threads/${thread}/messages/${id}`);
  messages = (thread, cursor) =>
    this.#ask('GET', path`/threads/${thread}/messages` + (cursor ? path`?limit=40&cursor=${cursor}` : '?limit=40'));

  upload = (file, key) => this.#requests.upload(`${this.#base}/attachments`, file, key);
  /** Where a file is, without a ticket. */
  attachmentURL = (id) => this.#base + path`/attachments/${id}`;
  transcript = (thread, utcOffset) =>
    this.#requests.download(this.#base + path`/threads/${thread}/transcript?format=html&utcOffset=${utcOffset}`);
  events = (options) => this.#requests.stream(`${this.#base}/events`, options);

  #ask(method, action = '', body = undefined) {
    return this.#requests.ask(method, this.#base + action, body);
  }
}
