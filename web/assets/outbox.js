/**
 * What was written in one thread and is not yet confirmed. Sent one after the other, so that the order stays that of writing:
 * what cannot be sent for want of the gateway holds up what was written after it, and is tried again before it. The id is made
 * here, so that trying again cannot send twice. Files go up first.
 */
import { newId } from '../parley.js';

/** @typedef {{key: string, file: File, name: string, mimeType: string, size: number, progress: number, id?: string,
 *  abort?: AbortController}} Upload
 *  `id`: of the attachment, once it is up; `abort`: ends the upload
 *  @typedef {{id: string, text?: string, postback?: string, files?: Upload[], createdAt: string,
 *  status: 'pending'|'failed', error?: Error}} Draft */

/** What of a draft goes to the gateway, apart from files. */
const wanted = ({ id, text, postback, type, content, ifLatest }) =>
  Object.fromEntries(Object.entries({ id, text, postback, type, content, ifLatest }).filter(([, value]) => value));

export class Outbox extends EventTarget {
  #send;
  #upload;
  #busy = false;

  /** @type {Draft[]} */
  items = [];

  /** @param {(message: {id: string, text?: string, attachments?: {id: string}[]}) => Promise<object>} send  tries again by itself
   *  when that may help
   *  @param {(upload: Upload, onProgress: (sent: number, total: number) => void,
   *  signal: AbortSignal) => Promise<{id: string}>} [upload] */
  constructor(send, upload) {
    super();
    this.#send = send;
    this.#upload = upload;
  }

  /** @param {string} text @param {File[]} [files] @param {{postback?: string, type?: string, content?: object, ifLatest?: string}} [more]
   *   `ifLatest`: only while nothing of another agent is newer; to try again means all the same */
  add(text, files = [], more = {}) {
    const upload = (file) => ({ key: newId(), file, name: file.name, mimeType: file.type, size: file.size, progress: 0 });
    const uploads = files.map(upload);
    this.items.push({
      id: newId(),
      ...more,
      ...(text && { text }),
      ...(files.length && { files: uploads }),
      createdAt: new Date().toISOString(),
      status: 'pending',
    });
    this.#changed();
    this.retryUnreachable(); // in the order of writing
    this.#pump();
  }

  /** Tries a failed one again, under its old id. */
  retry(id) {
    const item = this.items.find((one) => one.id === id && one.status === 'failed');
    if (!item) return;
    if (item.error?.temporary) return this.retryUnreachable(); // what was written before it goes first
    if (item.error?.code === 'answeredMeanwhile') item.ifLatest = undefined;
    Object.assign(item, { status: 'pending', error: undefined });
    this.#changed();
    this.#pump();
  }

  /** The gateway is there again: tries what failed for want of it. */
  retryUnreachable() {
    if (this.#revive()) this.#pump();
  }

  /** Gives a failed one up, or forgets one that turned out to have arrived. */
  remove(id) {
    const before = this.items.length;
    this.items = this.items.filter((one) => one.id !== id);
    if (this.items.length !== before) this.#changed();
  }

  /** A file that is not up yet shall not go along. Without any text or file left, the message is given up. */
  cancelFile(id, key) {
    const item = this.items.find((one) => one.id === id);
    const file = item?.files?.find((one) => one.key === key);
    if (!file || file.id) return;
    item.files = item.files.filter((one) => one !== file);
    file.abort?.abort();
    if (item.text || item.files.length) this.#changed();
    else this.remove(id);
  }

  #revive() {
    const unreachable = this.items.filter((one) => one.status === 'failed' && one.error?.temporary);
    for (const item of unreachable) Object.assign(item, { status: 'pending', error: undefined });
    if (unreachable.length) this.#changed();
    return unreachable.length > 0;
  }

  async #pump() {
    if (this.#busy) return;
    this.#busy = true;
    for (let item; (item = this.items.find((one) => one.status === 'pending')); ) {
      try {
        const attachments = await this.#uploaded(item);
        if (!this.items.includes(item)) continue; // given up meanwhile
        const message = await this.#send({
          ...wanted(item),
          ...(attachments && { attachments }),
        });
        this.dispatchEvent(new CustomEvent('sent', { detail: message }));
        this.remove(item.id);
        this.#revive();
      } catch (error) {
        const isHeldUp = (one) => one === item || (error.temporary && one.status === 'pending');
        for (const one of this.items.filter(isHeldUp)) Object.assign(one, { status: 'failed', error });
        this.#changed();
      }
    }
    this.#busy = false;
  }

  /** Uploads what is not up since an earlier try. */
  async #uploaded(item) {
    for (let one; (one = item.files?.find((file) => !file.id)); ) {
      const onProgress = (sent, total) => {
        one.progress = total ? sent / total : 0;
        this.#changed();
      };
      one.abort = new AbortController();
      try {
        one.id = (await this.#upload(one, onProgress, one.abort.signal)).id;
        onProgress(1, 1);
      } catch (error) {
        if (item.files.includes(one)) throw error; // else it was cancelled
      }
    }
    return item.files?.length ? item.files.map(({ id }) => ({ id })) : undefined;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
