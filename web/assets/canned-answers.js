/** Answers that are given often, kept by this browser. */
const PLACE = 'parley.answers';
export const MOST_ANSWERS = 200;
export const LONGEST_NAME = 80;

/** @typedef {{name: string, text: string}} CannedAnswer */

export class CannedAnswers {
  #storage;

  /** @param {Pick<Storage, 'getItem'|'setItem'>} [storage] */
  constructor(storage = localStorage) {
    this.#storage = storage;
  }

  /** By name. @returns {CannedAnswer[]} */
  list() {
    try {
      const all = JSON.parse(this.#storage.getItem(PLACE) ?? '[]');
      const isOne = (one) => typeof one?.name === 'string' && typeof one.text === 'string';
      return all.filter(isOne).slice(0, MOST_ANSWERS);
    } catch {
      return []; // written by nobody that we know
    }
  }

  /** Keeps an answer; one of the same name is replaced. @param {CannedAnswer} answer
   *  @returns {boolean}  whether there was room for it */
  keep({ name, text }) {
    const others = this.list().filter((one) => one.name !== name);
    if (others.length >= MOST_ANSWERS) return false;
    return this.#write([...others, { name: name.slice(0, LONGEST_NAME), text }].sort((a, b) => a.name.localeCompare(b.name)));
  }

  /** @param {string} name */
  remove(name) {
    this.#write(this.list().filter((one) => one.name !== name));
  }

  #write(answers) {
    try {
      this.#storage.setItem(PLACE, JSON.stringify(answers));
      return true;
    } catch (error) {
      console.warn(error); // the browser has no room for it
      return false;
    }
  }
}
