/** How requests reach the gateway: each of the library's verbs is one call of these. */
import { answered, problemOf, ParleyError, refusal, unreachable } from './errors.js';
import { eventStream } from './event-stream.js';
import { pageHalf } from './page-half.js';
import { encoded } from './paths.js';
import { uploadByXHR } from './upload.js';
import { backOff, limited, pause } from './waiting.js';

/** The ETags of answers. @type {WeakMap<object, string>} */
const versions = new WeakMap();

/** The version in which the gateway answered this, for `ifMatch`; undefined: the answer had none.
 *  @param {object} answer */
export const versionOf = (answer) => versions.get(answer);

/** What `ifMatch` asks for; undefined where the caller asks for nothing. A version that is not known is no version: the
 *  change would be made over somebody else's, and nobody would be told.
 *  @param {import('../parley.js').MatchOptions} options
 *  @throws {TypeError} */
export function expected(options) {
  if ('ifMatch' in options && options.ifMatch === undefined) throw new TypeError('ifMatch is undefined: the answer that it is of had no version');
  return options.ifMatch;
}

export class Transport {
  /** @param {import('../parley.js').ParleyOptions} options */
  constructor({ baseURL = globalThis.location?.origin, token, page, fetch: fetcher, timeout = 30_000 } = {}) {
    if (!baseURL) throw new TypeError('Parley needs a baseURL here');
    this.baseURL = String(baseURL).replace(/\/+$/, '');
    this.token = token;
    this.page = page;
    this.timeout = timeout;
    this.fetch = fetcher ?? ((...args) => fetch(...args));
  }

  /** Sends one request and returns the decoded answer (undefined for 204). With an Idempotency-Key (`key`) a POST that
   *  is repeated happens once. With `ifMatch`, a version of `versionOf`, it happens only while that is the newest.
   *  @param {string} method
   *  @param {string} path
   *  @param {import('../parley.js').RequestOptions} options
   *  @throws {ParleyError} */
  async request(method, path, options = {}) {
    const { query, body, key, keepalive = method === 'DELETE', wait = 0, signal } = options;
    const ifMatch = expected(options);
    const limit = limited(this.timeout + 1000 * wait, signal);
    const headers = {
      Accept: 'application/json', // a feed of events is a page then, not a stream
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key && { 'Idempotency-Key': key }),
      ...(ifMatch && { 'If-Match': ifMatch }),
    };
    try {
      const response = await this.fetch(this.url(path, query), {
        method,
        headers: this.#headers(headers),
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: 'same-origin',
        cache: 'no-store', // a cached page would carry the cursor of its first answer
        keepalive, // what is taken back when a page is left is a DELETE
        signal: limit.signal,
      });
      if (!response.ok) throw await refusal(response);
      const text = await response.text();
      const answer = text ? answered(text) : undefined;
      const version = response.headers.get('etag');
      if (version && answer !== null && typeof answer === 'object') versions.set(answer, version);
      return answer;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ParleyError ? error : unreachable(error, limit.late);
    } finally {
      limit.end();
    }
  }

  /** Sends several requests as one. The gateway answers one after another, each as if it had come alone; what becomes of one
   *  does not concern the others. What came of each, in their order, as `Promise.allSettled` tells it.
   *  @param {import('../parley.js').BatchPart[]} requests
   *  @param {import('../parley.js').Cancellable} [options]
   *  @returns {Promise<PromiseSettledResult<any>[]>}
   *  @throws {ParleyError}  when there is no answer to the whole */
  async batch(requests, options = {}) {
    const { signal } = options;
    const described = requests.map(({ method, path, query, body, key, ...more }) => ({
      method,
      path: target(path, query),
      body,
      idempotencyKey: key,
      ifMatch: expected(more),
    }));
    const { items } = await this.request('POST', '/v1/batch', { body: { requests: described }, signal });
    return items.map((/** @type {any} */ { status, body, version, retryAfter }) => {
      if (status >= 400) return { status: 'rejected', reason: problemOf(body, status, retryAfter) };
      if (version && body !== null && typeof body === 'object') versions.set(body, version);
      return { status: 'fulfilled', value: body };
    });
  }

  /** Runs `action` until it succeeds, fails for good, or `tries` are used up. Only for what may safely happen twice.
   *  @template T
   *  @param {() => Promise<T>} action
   *  @param {import('../parley.js').SendOptions} options
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

  /** Any event stream of the gateway: resumes and ends as `Parley.events` does.
   *  @param {string} path
   *  @param {import('../parley.js').StreamOptions & {query?: object}} options */
  stream(path, { query, ...options } = {}) {
    const url = this.url(path, query);
    return eventStream((cursor, signal) => {
      const headers = this.#headers({ Accept: 'text/event-stream', ...(cursor && { 'Last-Event-ID': cursor }) });
      return this.fetch(url, { headers, credentials: 'same-origin', cache: 'no-store', signal });
    }, options);
  }

  /** Sends a file as it is. In browsers `onProgress` tells how far that is.
   *  @param {string} path
   *  @param {Blob} file
   *  @param {{name: string, query?: object, key?: string, onProgress?: (sent: number, total: number) => void,
   *           signal?: AbortSignal}}
   *  options
   *  @throws {ParleyError} */
  async upload(path, file, { name, query, key, onProgress, signal }) {
    const headers = this.#headers({
      'Content-Type': file.type || 'application/octet-stream',
      'Content-Disposition': `attachment; filename*=UTF-8''${encoded(name)}`,
      ...(key && { 'Idempotency-Key': key }),
    });
    const url = this.url(path, query);
    if (onProgress && globalThis.XMLHttpRequest) return uploadByXHR(url, file, headers, onProgress, signal);
    try {
      const response = await this.fetch(url, { method: 'POST', headers, body: file, credentials: 'same-origin', signal });
      if (!response.ok) throw await refusal(response);
      onProgress?.(file.size, file.size);
      return answered(await response.text());
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ParleyError ? error : unreachable(error);
    }
  }

  /** Gets a file as it is. There is no time limit, for a file may be long.
   *  @param {string} path
   *  @param {import('../parley.js').Cancellable} options
   *  @returns {Promise<Blob>}
   *  @throws {ParleyError} */
  async download(path, { signal } = {}) {
    try {
      const response = await this.fetch(this.url(path), { headers: this.#headers({}), credentials: 'same-origin', signal });
      if (!response.ok) throw await refusal(response);
      return await response.blob();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof ParleyError ? error : unreachable(error);
    }
  }

  /**
   * @param {Record<string, string>} more
   * @returns {Record<string, string>}
   */
  #headers(more) {
    if (this.token) return { ...more, Authorization: `Bearer ${this.token}` };
    const page = this.page ?? pageHalf(this.baseURL);
    return page ? { ...more, 'Parley-Page': page } : more;
  }

  /**
   * Where a request goes.
   * @param {string} path
   * @param {object} [query]  members without a value are left out
   */
  url(path, query) {
    return this.baseURL + target(path, query);
  }
}

/**
 * A path with its query.
 * @param {string} path
 * @param {object} [query]
 */
function target(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, one);
  }
  const text = String(search);
  return path + (text && `?${text}`);
}
