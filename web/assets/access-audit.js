/** What administrators have done, the newest first. */
import { shownTime } from './access-parts.js';
import { el } from './dom.js';
import { filterField, table } from './inspect-parts.js';
import { texts } from './texts.js';

const words = texts.access;
const PAGE = 100;

export class AuditView {
  #parley;
  #filters = {};
  #items = [];

  /** @param {import('../parley.js').Parley} parley @param {(action: () => Promise<void>) => Promise<void>} run */
  constructor(parley, run) {
    this.#parley = parley;
    const filter = (name) => (value) => {
      this.#filters[name] = value || undefined;
      run(() => this.load());
    };
    this.list = el('div');
    this.more = el('button', { type: 'button', class: 'more', hidden: true, data: { test: 'audit-more' }, on: { click: () => run(() => this.#next()) } }, words.older);
    this.element = el(
      'section',
      { class: 'view scrolls', 'aria-label': words.audit },
      el('div', { class: 'filters' }, filterField(words.who, 'audit-actor', '', filter('actor')), filterField(words.what, 'audit-action', '', filter('action'))),
      this.list,
      this.more,
    );
  }

  async load() {
    this.#items = [];
    await this.#next();
  }

  async #next() {
    const query = { ...this.#filters, before: this.#items.at(-1)?.number, limit: PAGE };
    const { items } = await this.#parley.request('GET', '/v1/audit', { query });
    this.#items = [...this.#items, ...items];
    this.more.hidden = items.length < PAGE;
    const rows = this.#items.map((one) => [
      shownTime(one.at),
      one.actorName && one.actorName !== one.actor ? `${one.actorName} (${one.actor})` : one.actor,
      one.action,
      one.subject,
      Object.keys(one.detail).length ? el('code', {}, JSON.stringify(one.detail)) : '',
      one.address,
    ]);
    this.list.replaceChildren(table(words.audit, 'audit', [words.when, words.who, words.what, words.onWhat, words.detail, words.from], rows));
  }
}
