/**
 * What was written and is not yet confirmed, over all conversations. Sent one after the other, so that the order stays that of
 * writing. Its id is made here, so that trying again cannot send twice. Files go up first.
 *
 * @typedef {{id: string, thread: string, text?: string, postback?: string, files?: Upload[], createdAt: string,
 *            status: 'sending'|'failed', error?: any}} Item
 * @typedef {{key: string, file: File, id?: string}} Upload  `id`: of the attachment, once it is up
 */
import { newId } from '../parley/identifiers.js';

const TRIES = 4;

/** What becomes of an item after a failure. `back`: its words go into the field again, as sending it as it is has no sense now;
 *  `again`: the same request may succeed later; `fail`: the visitor decides.
 *  @param {{status?: number, code?: string, temporary?: boolean}} error @param {boolean} hasFiles
 *  @returns {'back'|'again'|'fail'} */
export function verdict({ status, code, temporary }, hasFiles) {
  const isForNow = status === 429 && code !== 'tooManyStreams';
  const isForOthers = status === 401 || BACK.has(code);
  if (isForNow || isForOthers) return hasFiles ? 'fail' : 'back';
  return temporary ? 'again' : 'fail';
}

const BACK = new Set(['consentRequired', 'proofRequired', 'identityRequired', 'channelNotPublic', 'illegalThreadState', 'notConnected']);

export class Outbox extends EventTarget {
  /** @type {Item[]} */
  items = [];
  #deliver;
  #pause;
  #isBusy = false;

  /** @param {(item: Item) => Promise<object>} deliver  resolves with the message
   *  @param {(attempt: number) => Promise<void>} pause  between two tries */
  constructor(deliver, pause) {
    super();
    this.#deliver = deliver;
    this.#pause = pause;
  }

  /** @param {string} thread @param {{text?: string, postback?: string, files?: File[]}} what */
  add(thread, { text, postback, files = [] }) {
    const uploads = files.map((file) => ({ key: newId(), file }));
    const createdAt = new Date().toISOString();
    const item = { id: newId(), thread, text, postback, createdAt, status: 'sending', ...(uploads.length && { files: uploads }) };
    this.items = [...this.items, item];
    this.retryAll(); // what was written before goes before
  }

  /** Puts those back that an earlier page could not send. @param {{id: string, thread: string, text: string, createdAt: string}[]} known */
  restore(known) {
    this.items = [...known.map((one) => ({ ...one, status: 'failed', error: { temporary: true } })), ...this.items];
    this.#changed();
  }

  /** Tries again what failed for want of the gateway. @param {string} [id]  also this one, whatever it failed of */
  retryAll(id) {
    for (const item of this.items) {
      if (item.status !== 'failed' || !(item.id === id || item.error?.temporary)) continue;
      Object.assign(item, { status: 'sending', error: undefined });
    }
    this.#changed();
    this.#pump();
  }

  /** @param {string} id */
  has(id) {
    return this.items.some((one) => one.id === id);
  }

  /** It has arrived, although its answer may not have come. @param {string} id */
  settle(id) {
    if (this.items.some((one) => one.id === id && one.status === 'failed')) this.discard(id);
  }

  /** @param {string} id */
  discard(id) {
    this.items = this.items.filter((one) => one.id !== id);
    this.#changed();
  }

  /** Without this file. Without any text or file left, the message is given up. @param {string} id @param {string} key */
  cancelFile(id, key) {
    const item = this.items.find((one) => one.id === id);
    if (!item?.files?.some((one) => one.key === key && !one.id)) return;
    item.files = item.files.filter((one) => one.key !== key);
    if (item.text || item.files.length) this.#changed();
    else this.discard(id);
  }

  clear() {
    this.items = [];
    this.#changed();
  }

  async #pump() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let item; (item = this.items.find((one) => one.status === 'sending')); ) await this.#send(item);
    this.#isBusy = false;
  }

  async #send(item) {
    for (let attempt = 1; this.items.includes(item); attempt++) {
      try {
        const message = await this.#deliver(item);
        this.dispatchEvent(new CustomEvent('sent', { detail: message }));
        return this.discard(item.id);
      } catch (error) {
        if (!this.items.includes(item)) return;
        const what = verdict(error, Boolean(item.files?.length));
        if (what === 'again' && attempt < TRIES) await this.#pause(attempt);
        else return this.#fail(item, error, what);
      }
    }
  }

  #fail(item, error, what) {
    // What cannot be sent for want of the gateway, or for now, holds up what was written after it.
    const held = what === 'fail' ? [item] : this.items.filter((one) => one.status === 'sending');
    if (what === 'back') {
      const backed = held.filter(({ files }) => !files?.length);
      this.items = this.items.filter((one) => !backed.includes(one));
      const text = backed.map((one) => one.text).filter(Boolean).join('\n');
      this.dispatchEvent(new CustomEvent('back', { detail: { text, error, thread: item.thread } }));
      for (const one of held) if (!backed.includes(one)) Object.assign(one, { status: 'failed', error });
    } else {
      for (const one of held) Object.assign(one, { status: 'failed', error });
      this.dispatchEvent(new CustomEvent('failed', { detail: error }));
    }
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
