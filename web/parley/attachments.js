import { path } from './paths.js';

/** Files that messages carry. */
export class Attachments {
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
