/** Requests as a customer's page makes them: no cookie goes along, and the token only in the header. Smaller than the library's
 *  `Transport`, which can do more. */
import { answered, ParleyError, refusal, unreachable } from '../parley/errors.js';
import { eventStream } from '../parley/event-stream.js';
import { encoded } from '../parley/paths.js';
import { limited } from '../parley/waiting.js';

const PATIENCE = 30_000; // ms

export class Requests {
  #token;

  /** @param {string} [token] */
  constructor(token) {
    this.#token = token;
  }

  /** One request and its decoded answer (undefined for 204). @param {string} method @param {string} path @param {object} [body]
   *  @throws {ParleyError} */
  async ask(method, path, body) {
    const headers = { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }) };
    const limit = limited(PATIENCE);
    try {
      const options = { method, headers, body: body && JSON.stringify(body), keepalive: method === 'DELETE', signal: limit.signal };
      const text = await (await this.#fetch(path, options)).text();
      return text ? answered(text) : undefined;
    } catch (error) {
      throw known(error, limit.late);
    } finally {
      limit.end();
    }
  }

  /** A file as it is. @param {string} path @returns {Promise<Blob>} */
  async download(path) {
    return (await this.#fetch(path).catch((error) => Promise.reject(known(error)))).blob();
  }

  /** @param {string} path @param {File} file @param {string} key  so that it may be repeated */
  async upload(path, file, key) {
    const headers = {
      'Content-Type': file.type || 'application/octet-stream',
      'Content-Disposition': `attachment; filename*=UTF-8''${encoded(file.name || 'file')}`,
      'Idempotency-Key': key,
    };
    try {
      return answered(await (await this.#fetch(path, { method: 'POST', headers, body: file })).text());
    } catch (error) {
      throw known(error);
    }
  }

  /** Events that resume by themselves. @param {string} path @param {import('../parley.js').StreamOptions} options */
  stream(path, options) {
    const open = (cursor, signal) => {
      const headers = { Accept: 'text/event-stream', ...(cursor && { 'Last-Event-ID': cursor }) };
      return fetch(path, this.#options({ headers, signal }));
    };
    return eventStream(open, options);
  }

  async #fetch(path, options) {
    const response = await fetch(path, this.#options(options));
    if (!response.ok) throw await refusal(response);
    return response;
  }

  #options({ headers, ...options } = {}) {
    const bearer = this.#token && { Authorization: `Bearer ${this.#token}` };
    return { ...options, headers: { ...headers, ...bearer }, credentials: 'omit', cache: 'no-store' };
  }
}

const known = (error, isLate) => (error instanceof ParleyError ? error : unreachable(error, isLate));
