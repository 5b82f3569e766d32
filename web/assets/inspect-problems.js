/** The inspector's view of problems: what was refused lately, by code and route. */
import { el, soon } from './dom.js';
import { moment } from './format.js';
import { viewAddress } from './inspect-address.js';
import { table } from './inspect-parts.js';
import { texts } from './texts.js';

export class ProblemsView {
  #book;
  #refresh = soon(() => this.#render());

  /** @param {import('./request-book.js').RequestBook} book */
  constructor(book) {
    this.#book = book;
    this.element = el('div', { class: 'view' });
    this.#render();
  }

  /** The book has changed. */
  changed() {
    this.#refresh();
  }

  #render() {
    const t = texts.inspect;
    const rows = this.#book.problems().map(({ code, route, count, last }) => [
      last.problem ? el('a', { href: `/docs/problems/${code}`, data: { test: 'problem-page' } }, code) : code,
      el('code', {}, route),
      String(count),
      moment(last.at),
      last.problem?.detail,
      el('a', { href: viewAddress('requests', { text: last.problem?.code ?? String(last.path) }), data: { view: 'requests' } }, t.showRequests),
    ]);
    this.element.replaceChildren(
      rows.length ? table(t.problems, 'problems', [t.problem, t.route, t.count, t.last, t.detail, ''], rows) : el('p', { class: 'empty' }, t.noProblems),
    );
  }
}
