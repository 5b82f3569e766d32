/** Files that messages carry. */
import { path } from './paths.js';

export class Attachments {
  /**
   * @param {import('./transport.js').Transport} transport
   * @param {string} base
   */
  constructor(transport, base) {
    this.transport = transport;
    this.base = `${base}/attachments`;
  }

  /** Uploads a file; `messages.send` takes the answer's id. Safe to repeat with the same `key`.
   *  @param {Blob & {name?: string}} file
   *  @param {import('../parley.js').UploadOptions} [options] */
  upload(file, options = {}) {
    return this.transport.upload(this.base, file, { ...options, name: options.name ?? file.name ?? 'file' });
  }

  /** Its content, with its type.
   *  @param {string} id
   *  @param {import('../parley.js').Cancellable} [options]
   *  @returns {Promise<Blob>} */
  download(id, options) {
    return this.transport.download(this.base + path`/${id}`, options);
  }

  /** Where its content is.
   *  @param {string} id */
  url(id) {
    return this.transport.baseURL + this.base + path`/${id}`;
  }
}
