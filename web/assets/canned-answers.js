/**
 * Answers that are given often: kept by the gateway for all agents. Tells by `change` that they are different, here or at another
 * desk.
 */
import { newId } from '../parley.js';

/** Where earlier versions kept answers, in the browser. */
const PLACE = 'parley.answers';
export const LONGEST_NAME = 80;

/** @typedef {{id: string, name: string, text: string, shortcut?: string, channels?: string[], language?: string}} CannedAnswer */

export class CannedAnswers extends EventTarget {
  #api;
  #storage;
  #answers = new Map(); // id -> CannedAnswer

  /** @param {import('../parley.js').DeskAnswers} api @param {EventTarget} stream  the desk's events
   *  @param {Pick<Storage, 'getItem'|'removeItem'>} [storage] */
  constructor(api, stream, storage = localStorage) {
    super();
    this.#api = api;
    this.#storage = storage;
    stream.addEventListener('event', ({ detail: { type, data } }) => type === 'answer.updated' && this.#take(data));
  }

  /** By name. @returns {CannedAnswer[]} */
  list() {
    return [...this.#answers.values()].sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Everything anew: the page may have missed what happened before. */
  async load() {
    await this.#handOver();
    const { items } = await this.#api.list();
    this.#answers = new Map(items.map((answer) => [answer.id, answer]));
    this.#changed();
  }

  /** Keeps an answer; one of the same name is replaced. @param {Omit<CannedAnswer, 'id'>} answer */
  async keep({ name, ...more }) {
    const answer = await this.#api.keep({ name: name.slice(0, LONGEST_NAME), ...more }, { key: newId() });
    this.#take({ id: answer.id, answer });
  }

  /** @param {string} id */
  async remove(id) {
    try {
      await this.#api.remove(id);
    } catch (error) {
      if (error.status !== 404) throw error; // another agent was faster
    }
    this.#take({ id });
  }

  /** What the browser has kept until now goes to the gateway, once. What is there under the same name stays. */
  async #handOver() {
    const mine = this.#kept();
    if (!mine.length) return;
    const { items } = await this.#api.list();
    const names = new Set(items.map(({ name }) => name));
    for (const { name, text } of mine) if (!names.has(name)) await this.#api.keep({ name, text });
    this.#storage.removeItem(PLACE);
  }

  #kept() {
    try {
      const all = JSON.parse(this.#storage.getItem(PLACE) ?? '[]');
      return all.filter((one) => typeof one?.name === 'string' && typeof one.text === 'string' && one.name && one.text);
    } catch {
      return []; // written by nobody that we know
    }
  }

  #take({ id, answer }) {
    if (answer) this.#answers.set(id, answer);
    else this.#answers.delete(id);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
