/**
 * What was written and not yet sent, as long as the browser keeps it: a reload loses none. Each has a key: whose page it is, the
 * conversation, and the message that is replied to. The oldest go when there are too many, or when they get too long in all.
 */
const PREFIX = 'parley.draft.';
const MOST = 50;
const MOST_CHARACTERS = 262_144;

/** @param {string} scope  a session's id, or `desk` @param {...(string|undefined)} place */
export const draftKey = (scope, ...place) => JSON.stringify([scope, ...place]);

export class Drafts {
  #storage;
  #now;

  /** @param {Storage} [storage] @param {() => number} [now]  milliseconds */
  constructor(storage = browserStorage(), now = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  /** @param {string} key @returns {string} */
  get(key) {
    return read(this.#storage.getItem(PREFIX + key)).text;
  }

  /** @param {string} key @param {string} text  empty: there is none any more */
  set(key, text) {
    if (!text || text.length > MOST_CHARACTERS) return this.#storage.removeItem(PREFIX + key);
    try {
      this.#storage.setItem(PREFIX + key, `${this.#now()} ${text}`);
    } catch (error) {
      console.warn(error); // the browser has no room for it
    }
    this.#bound();
  }

  /** Of a session that is no more. @param {string} scope */
  forget(scope) {
    const begin = PREFIX + JSON.stringify([scope]).slice(0, -1);
    for (const { name } of this.#all()) if (name.startsWith(`${begin},`)) this.#storage.removeItem(name);
  }

  #bound() {
    const newestFirst = this.#all().sort((a, b) => b.at - a.at);
    let characters = 0;
    newestFirst.forEach(({ name, text }, index) => {
      characters += text.length;
      if (index >= MOST || characters > MOST_CHARACTERS) this.#storage.removeItem(name);
    });
  }

  #all() {
    const names = Array.from({ length: this.#storage.length }, (_, at) => this.#storage.key(at));
    const drafts = names.filter((name) => name.startsWith(PREFIX));
    return drafts.map((name) => ({ name, ...read(this.#storage.getItem(name)) }));
  }
}

function read(value) {
  const [, at = '0', text = ''] = /^(\d+) ([^]*)$/.exec(value ?? '') ?? [];
  return { at: Number(at), text };
}

/** Where the browser forbids its storage, drafts last as long as the page. */
function browserStorage() {
  try {
    return globalThis.localStorage ?? new MemoryStorage();
  } catch {
    return new MemoryStorage();
  }
}

class MemoryStorage {
  #items = new Map();

  get length() {
    return this.#items.size;
  }
  key(at) {
    return [...this.#items.keys()][at] ?? null;
  }
  getItem(name) {
    return this.#items.get(name) ?? null;
  }
  setItem(name, value) {
    this.#items.set(name, value);
  }
  removeItem(name) {
    this.#items.delete(name);
  }
}
