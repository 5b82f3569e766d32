/**
 * Which agents are at the desk, and who of them is at which conversation. What is not said again for a while is forgotten. Tells by
 * `change` that something is different.
 */
import { itemKey } from '../parley.js';

const LIFE = 65_000; // ms; the gateway forgets after a minute, and says so

export class Colleagues extends EventTarget {
  #known = new Map(); // agent's id -> {agent, state, key?, doing?, timer}

  /** @param {EventTarget} stream  the desk's events */
  constructor(stream) {
    super();
    stream.addEventListener('event', ({ detail: { type, data } }) => type === 'presence.updated' && this.#take(data));
  }

  /** Everything anew: the page may have missed what happened before. @param {{list: () => Promise<{items: object[]}>}} api */
  async load(api) {
    const { items } = await api.list();
    const there = new Set(items.map(({ agent }) => agent.id));
    for (const id of this.#known.keys()) if (!there.has(id)) this.#drop(id);
    for (const one of items) this.#take(one);
    this.#changed();
  }

  /** Those at a conversation, without this user: who writes first. @param {string} key @param {string} [me]
   *  @returns {{name: string, isWriting: boolean}[]} */
  at(key, me) {
    return [...this.#known.values()]
      .filter((one) => one.key === key && one.agent.id !== me && one.state === 'online')
      .map(({ agent, doing }) => ({ name: agent.name ?? agent.id, isWriting: doing === 'writing' }))
      .sort((a, b) => b.isWriting - a.isWriting || a.name.localeCompare(b.name));
  }

  #take({ agent, state, threadId, channel, customerId, doing }) {
    const known = this.#known.get(agent.id);
    // Who sees the conversation hears twice: that the agent is there, and then where.
    clearTimeout(known?.timer);
    if (state === 'offline') this.#known.delete(agent.id);
    else {
      const key = threadId === undefined ? undefined : itemKey({ id: threadId, channel, customer: customerId });
      this.#known.set(agent.id, { agent, state, key, doing, timer: setTimeout(() => this.#drop(agent.id), LIFE) });
    }
    this.#changed();
  }

  #drop(id) {
    clearTimeout(this.#known.get(id)?.timer);
    if (this.#known.delete(id)) this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
