/**
 * Which rows of a long list are in the DOM: a range that grows where the reader goes and shrinks behind. It is held
 * by the rows themselves, so that it stays where it is when rows come, go or move outside of it.
 */
export const STEP = 50;
export const MOST = 200;

export class RowWindow {
  #ids = []; // of the rows inside
  #reachedEnd = false;
  from = 0;
  to = 0;

  /** Puts the window on a list that has changed. @param {readonly {id: string}[]} rows
   *  @param {{follows: boolean}} how  `follows`: it reaches the end, whatever comes there */
  settle(rows, { follows }) {
    // Most changes are outside, and behind: then nobody has to look for the rows.
    const isStill = this.#ids.every((id, index) => rows[this.from + index]?.id === id);
    const at = isStill ? { get: (id) => this.from + this.#ids.indexOf(id) } : new Map(rows.map(({ id }, index) => [id, index]));
    const held = isStill ? this.#ids : this.#ids.filter((id) => at.has(id));
    let [from, to] = held.length ? [at.get(held[0]), at.get(held.at(-1)) + 1] : [this.from, this.from];
    if (follows || (this.#reachedEnd && held.length)) to = rows.length;
    from = Math.min(from, rows.length);
    to = Math.min(Math.max(to, from), rows.length);
    if (follows && !held.length) from = Math.max(0, to - STEP);
    if (to - from > MOST) follows ? (from = to - MOST) : (to = from + MOST);
    if (to - from < STEP) {
      from = Math.max(0, Math.min(from, to - STEP));
      to = Math.min(rows.length, Math.max(to, from + STEP));
    }
    this.#set(rows, from, to);
  }

  /** @param {readonly {id: string}[]} rows @param {'previous'|'next'} direction @returns {boolean}  whether there was anything */
  grow(rows, direction) {
    if (direction === 'previous') {
      if (this.from === 0) return false;
      const from = Math.max(0, this.from - STEP);
      this.#set(rows, from, Math.min(this.to, from + MOST));
    } else {
      if (this.to >= rows.length) return false;
      const to = Math.min(rows.length, this.to + STEP);
      this.#set(rows, Math.max(this.from, to - MOST), to);
    }
    return true;
  }

  /** Puts a row in the middle. */
  around(rows, index) {
    const from = Math.max(0, index - STEP / 2);
    this.#set(rows, from, Math.min(rows.length, from + STEP));
  }

  clear() {
    this.#ids = [];
    this.#reachedEnd = false;
    this.from = this.to = 0;
  }

  #set(rows, from, to) {
    this.from = from;
    this.to = to;
    this.#ids = rows.slice(from, to).map(({ id }) => id);
    this.#reachedEnd = to === rows.length;
  }
}
