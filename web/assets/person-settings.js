/**
 * How one person wants the desk: kept by the gateway for people, so that it is the same in each browser, and by this browser for
 * whoever runs the gateway. Tells by `change` that something is different, here or in another tab.
 */

const PLACE = 'parley.desk.settings';

/** What holds until somebody has chosen. */
const DEFAULTS = { keys: true, next: false, soundWaiting: false, soundMine: false, away: false, order: 'activity', views: [] };

export class PersonSettings extends EventTarget {
  #parley;
  #place = PLACE;
  #isPerson = false;
  #storage;
  #kept;
  #saving = Promise.resolve(); // one change at a time

  /** @param {import('../parley.js').Parley} parley @param {Pick<Storage, 'getItem'|'setItem'>} [storage] */
  constructor(parley, storage = globalThis.localStorage) {
    super();
    this.#parley = parley;
    this.#storage = storage;
    this.#kept = this.#read();
    globalThis.addEventListener?.('storage', ({ key }) => {
      if (key !== this.#place) return;
      this.#kept = this.#read();
      this.#changed();
    });
  }

  /** Whose settings these are. @param {string} [person]  the id of who is signed in; none: whoever runs the gateway */
  use(person) {
    this.#isPerson = person !== undefined;
    this.#place = person === undefined ? PLACE : `${PLACE}.${person}`;
    this.#kept = this.#read();
    this.#changed();
  }

  /** @param {keyof typeof DEFAULTS} name */
  get(name) {
    const value = this.#kept[name];
    return typeof value === typeof DEFAULTS[name] && Array.isArray(value) === Array.isArray(DEFAULTS[name]) ? value : DEFAULTS[name];
  }

  /** What the gateway keeps for this person, which counts from now on. */
  async load() {
    if (!this.#isPerson) return;
    const { settings } = await this.#parley.request('GET', '/v1/me');
    if (settings?.desk) this.#take(settings.desk);
  }

  /** Holds at once; resolves when it is kept. @param {Partial<typeof DEFAULTS>} values */
  set(values) {
    this.#take({ ...this.#kept, ...values });
    if (!this.#isPerson) return Promise.resolve();
    const save = async () => {
      // The settings are kept as one: what other pages keep there must stay.
      const { settings } = await this.#parley.request('GET', '/v1/me');
      const body = { settings: { ...settings, desk: { ...settings?.desk, ...values } } };
      await this.#parley.request('PATCH', '/v1/me', { body });
    };
    const saved = this.#saving.then(save);
    this.#saving = saved.catch(() => {});
    return saved;
  }

  #take(values) {
    this.#kept = values;
    try {
      this.#storage?.setItem(this.#place, JSON.stringify(values));
    } catch (error) {
      console.warn(error); // the browser has no room for it
    }
    this.#changed();
  }

  #read() {
    try {
      const kept = JSON.parse(this.#storage?.getItem(this.#place) ?? '{}');
      return kept && typeof kept === 'object' ? kept : {};
    } catch {
      return {}; // written by nobody that we know
    }
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
