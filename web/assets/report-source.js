/** Where reports come from: the team's, or those of the person who is signed in and has no right to the team's. */
import { signedInPerson } from './login.js';

const [TEAM, OWN] = ['/v1/desk/reports', '/v1/me/reports'];

export class ReportSource {
  #parley;
  #isForbidden = false; // the gateway has said so

  /** @param {import('../parley.js').Parley} parley */
  constructor(parley) {
    this.#parley = parley;
  }

  /** Whether somebody may choose between the team's figures and their own. Whoever runs the gateway has none.
   *  @param {{role: string}} [person] */
  mayChoose(person) {
    return person !== undefined && person.role !== 'agent';
  }

  /** Whether the figures are the person's own, if nothing is chosen. */
  get isOwn() {
    return this.#isForbidden || signedInPerson()?.role === 'agent';
  }

  /** @param {object} query @param {'mine'} [whose] @returns {Promise<import('../parley.js').Report>} */
  report(query, whose) {
    return this.#asked(whose, (path) => this.#parley.request('GET', path, { query }));
  }

  /** The same as a table for other programs. @returns {Promise<Blob>} */
  table(query, whose) {
    const { channel, ...others } = query;
    const search = new URLSearchParams({ ...others, format: 'csv' });
    for (const one of channel ?? []) search.append('channel', one);
    return this.#asked(whose, (path) => this.#parley.download(`${path}?${search}`));
  }

  async #asked(whose, ask) {
    if (whose === 'mine' || this.isOwn) return ask(OWN);
    try {
      return await ask(TEAM);
    } catch (error) {
      // A role that was changed since the sign-in.
      if (error.status !== 403 || !signedInPerson()) throw error;
      this.#isForbidden = true;
      return ask(OWN);
    }
  }

  /** What agents, channels and tags are called, by their ids. @returns {Promise<Record<string, Map<string, string>>>} */
  async names() {
    const { desk } = this.#parley;
    const lists = [desk.channels.list(), this.#parley.request('GET', '/v1/desk/agents'), this.#parley.request('GET', '/v1/desk/tags')];
    const [channel, agent, tag] = await Promise.all(lists);
    const byId = ({ items }) => new Map(items.map(({ id, name }) => [id, name || id]));
    return { channel: byId(channel), agent: byId(agent), tag: byId(tag) };
  }
}
