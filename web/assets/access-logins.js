/** The browsers that are signed in. */
import { rowButton, shownTime } from './access-parts.js';
import { el } from './dom.js';
import { table } from './inspect-parts.js';
import { texts } from './texts.js';

const words = texts.access;

export class LoginsView {
  #parley;
  #run;

  /** @param {import('../parley.js').Parley} parley @param {(action: () => Promise<void>) => Promise<void>} run */
  constructor(parley, run) {
    this.#parley = parley;
    this.#run = run;
    this.element = el('section', { class: 'view scrolls', 'aria-label': words.logins });
  }

  async load() {
    const { items } = await this.#parley.request('GET', '/v1/logins');
    const titles = [words.who, words.browser, words.how, words.since, words.lastUsed, ''];
    const rows = items.map((login) => [
      login.person ?? words.operator,
      login.isOwn ? `${login.browser || words.unknown} (${words.thisOne})` : login.browser || words.unknown,
      words.hows[login.how] ?? login.how,
      shownTime(login.createdAt),
      shownTime(login.lastUsedAt),
      rowButton(words.end, 'login-end', () => this.#run(() => this.#end(login))),
    ]);
    this.element.replaceChildren(table(words.logins, 'logins', titles, rows));
  }

  async #end({ id }) {
    await this.#parley.request('DELETE', `/v1/logins/${encodeURIComponent(id)}`);
    await this.load();
  }
}
