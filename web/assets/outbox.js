/**
 * What was written in one thread and is not yet confirmed. Sent one after the other, so that the order stays that of writing;
 * the id is made here, so that trying again cannot send twice.
 */
import { newId } from '../parley.js';

/** @typedef {{id: string, text: string, createdAt: string, status: 'pending'|'failed', error?: Error}} Draft */

export class Outbox extends EventTarget {
  #send;
  #busy = false;

  /** @type {Draft[]} */
  items = [];

  /** @param {(message: {id: string, text: string}) => Promise<object>} send  tries again by itself when that may help */
  constructor(send) {
    super();
    this.#send = send;
  }

  add(text) {
    this.items.push({ id: newId(), text, createdAt: new Date().toISOString(), status: 'pending' });
    this.#changed();
    this.#pump();
  }

  /** Tries a failed one again, under its old id. */
  retry(id) {
    const item = this.items.find((one) => one.id === id && one.status === 'failed');
    if (!item) return;
    Object.assign(item, { status: 'pending', error: undefined });
    this.#changed();
    this.#pump();
  }

  /** The gateway is there again: tries what failed for want of it. */
  retryUnreachable() {
    for (const item of this.items) if (item.error?.temporary) this.retry(item.id);
  }

  /** Gives a failed one up, or forgets one that turned out to have arrived. */
  remove(id) {
    const before = this.items.length;
    this.items = this.items.filter((one) => one.id !== id);
    if (this.items.length !== before) this.#changed();
  }

  async #pump() {
    if (this.#busy) return;
    this.#busy = true;
    for (let item; (item = this.items.find((one) => one.status === 'pending')); ) {
      try {
        const message = await this.#send({ id: item.id, text: item.text });
        this.dispatchEvent(new CustomEvent('sent', { detail: message }));
        this.remove(item.id);
      } catch (error) {
        Object.assign(item, { status: 'failed', error });
        this.#changed();
      }
    }
    this.#busy = false;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
