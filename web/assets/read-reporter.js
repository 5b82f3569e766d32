/**
 * Reports an open conversation as read, but only what somebody can have seen: the page is visible and has the focus, and
 * the transcript is at its bottom.
 */
import { mayWrite } from './membership.js';

export class ReadReporter {
  #conversation;
  #reported; // the newest message for which it was done
  #isAtBottom;

  /** @param {() => boolean} isAtBottom */
  constructor(isAtBottom) {
    this.#isAtBottom = isAtBottom;
    for (const type of ['focus', 'pageshow']) addEventListener(type, () => this.consider());
    document.addEventListener('visibilitychange', () => this.consider());
  }

  watch(conversation) {
    this.#conversation = conversation;
    this.#reported = undefined;
  }

  async consider() {
    const { thread, list, side } = this.#conversation ?? {};
    if (!mayWrite(thread) || !list.loaded || thread.state === 'pending') return;
    if (document.visibilityState !== 'visible' || !document.hasFocus() || !this.#isAtBottom()) return;
    const newest = list.items.findLast((message) => !side.isOwn(message));
    if (!newest || newest.id === this.#reported || (newest.status === 'seen' && side.unread(thread) === 0)) return;
    this.#reported = newest.id;
    try {
      await side.read(thread);
    } catch (error) {
      console.warn(error);
      this.#reported = undefined; // the next occasion tries again
    }
  }
}
