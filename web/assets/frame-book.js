/** The frames of the sandbox as the inspector keeps them: the newest, each once, and what a filter lets through. */

/** The most frames that are kept, as many as a stream may begin with. */
export const MOST = 500;

export class FrameBook {
  /** @type {object[]} */
  #rows = [];
  #filter = () => true;

  /** How many frames there are. */
  get count() {
    return this.#rows.length;
  }

  /** The frames that the filter lets through. */
  get shown() {
    return this.#rows.filter(this.#filter);
  }

  /** @param {{text?: string, socket?: string}} filter  the text anywhere in a frame, in any case */
  filter({ text, socket }) {
    const wanted = text?.toLowerCase();
    this.#filter = (one) =>
      (!socket || String(one.socket) === socket) && (!wanted || [one.text, one.type, one.customer].some((part) => part?.toLowerCase().includes(wanted)));
  }

  /** Takes the frame of an event. One that is there already, because the list had it, changes nothing. @param {object} frame */
  add(frame) {
    if (frame.number <= (this.#rows.at(-1)?.number ?? 0)) return;
    this.#rows.push({ ...frame, id: String(frame.number) });
    if (this.#rows.length > MOST) this.#rows.shift();
  }

  /** Takes a list in place of all that was there: frames were lost, or their numbers begin anew. @param {{items: object[]}} page */
  replace({ items }) {
    this.#rows = [];
    for (const frame of items) this.add(frame);
  }
}
