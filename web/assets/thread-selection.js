/** Which conversations of a list are chosen, to do one thing with all of them. Tells by `change` that others are. */

export class ThreadSelection extends EventTarget {
  #keys = new Set();
  #last; // where a range begins

  /** Whether boxes are on show. */
  isOn = false;

  get keys() {
    return [...this.#keys];
  }

  has(key) {
    return this.#keys.has(key);
  }

  start() {
    this.isOn = true;
    this.#changed();
  }

  /** @param {string} key */
  toggle(key) {
    this.isOn = true;
    if (!this.#keys.delete(key)) this.#keys.add(key);
    this.#last = key;
    this.#changed();
  }

  /** All from the last one that was chosen to this one. @param {string} key @param {string[]} order  the list's keys */
  extend(key, order) {
    const [from, to] = [order.indexOf(this.#last), order.indexOf(key)].sort((a, b) => a - b);
    if (from < 0) return this.toggle(key);
    this.isOn = true;
    for (const one of order.slice(from, to + 1)) this.#keys.add(one);
    this.#last = key;
    this.#changed();
  }

  /** What has left the list is not chosen any more. @param {string[]} order */
  keep(order) {
    const there = new Set(order);
    const gone = [...this.#keys].filter((key) => !there.has(key));
    if (!gone.length) return;
    for (const key of gone) this.#keys.delete(key);
    this.#changed();
  }

  end() {
    this.isOn = false;
    this.#keys.clear();
    this.#last = undefined;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
