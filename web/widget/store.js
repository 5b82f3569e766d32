/** What this browser keeps of a channel: who the visitor is, and what is being written. Where a browser forbids storage, it is
 *  kept as long as the page lives. */

const PLACES = ['localStorage', 'sessionStorage'];

export class Store {
  #window;
  #memory = new Map();

  /** @param {string} channel @param {object} [window]  has the storages, or throws when it is asked for them */
  constructor(channel, window = globalThis) {
    this.visitorKey = `parley.visitor.${channel}`;
    this.draftKey = `parley.draft.${channel}`;
    this.#window = window;
  }

  /** What the browser lets it be kept for, if not for good: this tab, or this page. @type {'tab'|'page'|undefined} */
  onlyFor;

  /** @returns {{session: string, token: string, service?: string, sub?: string, consent?: string}|undefined} */
  get visitor() {
    const known = this.get(this.visitorKey);
    return typeof known?.session === 'string' && typeof known?.token === 'string' ? known : undefined;
  }

  set visitor(record) {
    this.put(this.visitorKey, record);
  }

  /** @param {string} key @returns {any}  undefined: nothing, or nothing of ours */
  get(key) {
    for (const place of [...PLACES, undefined]) {
      try {
        const text = place ? this.#window[place].getItem(key) : this.#memory.get(key);
        if (text) return JSON.parse(text) ?? undefined;
      } catch {
        // the browser forbids this place, or somebody else has written there
      }
    }
    return undefined;
  }

  /** In the first place that takes it; undefined takes it away everywhere. @param {string} key @param {any} value */
  put(key, value) {
    const text = value === undefined ? undefined : JSON.stringify(value);
    let kept;
    for (const place of PLACES) {
      try {
        if (text === undefined || kept) this.#window[place].removeItem(key);
        else this.#window[place].setItem(key, text), (kept = place);
      } catch {
        // the next place
      }
    }
    if (text === undefined || kept) this.#memory.delete(key);
    else this.#memory.set(key, text);
    if (text !== undefined) this.onlyFor = kept ? (kept === 'sessionStorage' ? 'tab' : undefined) : 'page';
  }
}
