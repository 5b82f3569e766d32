/** The inspector's view of requests: the newest of them, and how to make one again. */
import { el, set, setText, soon } from './dom.js';
import { fileSize, fullTime, measured, moment } from './format.js';
import { copyLine, filterChoice, filterField, shownOf } from './inspect-parts.js';
import { RowList } from './row-list.js';
import { texts } from './texts.js';

/** How many minutes bodies are kept at a time. */
const MINUTES = 10;

export class RequestsView {
  #parley;
  #filters;
  #book;
  #keep;
  #refresh = soon(() => this.#render());

  /** @param {import('../parley.js').Parley} parley @param {Record<string, string>} filters  from the address
   *  @param {{book: import('./request-book.js').RequestBook, keep: (filters: object) => void, run: (action: () => Promise<void>) => void}} page */
  constructor(parley, filters, { book, keep, run }) {
    this.#parley = parley;
    this.#filters = filters;
    this.#book = book;
    this.#keep = keep;
    const t = texts.inspect;
    this.capture = el('button', { type: 'button', class: 'quiet', data: { test: 'capture' }, on: { click: () => run(() => this.#turn()) } });
    this.warning = el('p', { class: 'capturing', role: 'status', data: { test: 'capturing' }, hidden: true });
    this.state = el('p', { class: 'muted', data: { test: 'requests-state' } });
    this.list = new RowList({
      label: t.requests, test: 'request-rows', cells: requestCells, detail: (row) => this.#detail(row),
      kind: ({ status }) => (status >= 500 ? 'failed' : status >= 400 ? 'refused' : undefined),
    });
    this.element = el(
      'section',
      { class: 'view', 'aria-label': t.requests },
      el(
        'div',
        { class: 'filters' },
        filterField(t.text, 'request-text', filters.text ?? '', (value) => this.#change('text', value)),
        filterChoice(t.status, 'request-status', filters.status ?? '', [['', t.any], ...['2', '3', '4', '5'].map((one) => [one, `${one}xx`])], (value) => this.#change('status', value)),
        filterChoice(t.token, 'request-token', filters.token ?? '', [['', t.any], ...Object.entries(t.tokens)], (value) => this.#change('token', value)),
        this.capture,
      ),
      this.warning,
      this.state,
      this.list.element,
    );
    this.#render();
  }

  /** The book has changed. */
  changed() {
    this.#refresh();
  }

  #change(name, value) {
    this.#filters[name] = value;
    this.#keep(this.#filters);
    this.#refresh();
  }

  async #turn() {
    const minutes = this.#book.capture.until ? 0 : MINUTES;
    this.#book.capture = await this.#parley.request('PUT', '/v1/requests/capture', { body: { minutes } });
    this.#render();
  }

  #render() {
    const { capture, rows } = this.#book;
    const shown = this.#book.shown(this.#filters);
    this.list.show(shown);
    setText(this.state, shownOf(shown.length, rows.length, texts.inspect.requestCount, texts.inspect.requestCountOf));
    setText(this.capture, capture.until ? texts.inspect.forget : texts.inspect.keepBodies({ duration: measured(MINUTES, 'minute', { unitDisplay: 'long' }) }));
    this.warning.hidden = !capture.until;
    setText(this.warning, capture.until ? texts.inspect.keeping({ until: moment(capture.until), size: fileSize(capture.bytes) }) : '');
  }

  #detail(row) {
    const element = el('div', {}, el('p', { class: 'muted' }, texts.common.loading));
    this.#load(row, element).catch((error) => element.replaceChildren(el('p', { class: 'danger-text' }, error.detail ?? texts.common.failed)));
    return element;
  }

  async #load(row, element) {
    const found = await this.#parley.request('GET', `/v1/requests/${row.number}`);
    const t = texts.inspect;
    element.replaceChildren(
      copyLine('curl', 'curl', found.curl),
      ...(found.needsBody ? [el('p', { class: 'muted' }, t.needsBody)] : []),
      facts([
        [t.id, found.id], [t.at, fullTime(found.at)], [t.route, found.route], [t.operation, found.operation],
        [t.peer, found.peer], [t.session, found.session], [t.received, fileSize(found.received)], [t.sent, fileSize(found.sent)],
        [t.problem, found.problem && [found.problem.code, found.problem.detail].filter(Boolean).join(': ')],
      ]),
      ...[[t.requestBody, 'request-body', found.requestBody], [t.answerBody, 'answer-body', found.answerBody]].filter(([, , body]) => body)
        .map(([label, test, { text, size }]) => el('figure', {}, el('figcaption', { class: 'muted' }, `${label} · ${fileSize(size)}`), el('pre', { tabindex: '0', data: { test } }, text))),
    );
    set(element, 'data-test', 'request-detail');
  }
}

/** Facts with their names; those without a value are left out. @param {[string, string|undefined][]} rows */
export function facts(rows) {
  return el('dl', { class: 'facts' }, rows.filter(([, value]) => value).map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

function requestCells({ at, method, path, status, microseconds, sent, token, session, problem }) {
  return [
    el('time', { class: 'cell-time muted', datetime: at, title: fullTime(at) }, at.slice(11, 23)),
    el('span', { class: 'cell-status' }, String(status || '—')),
    el('span', { class: 'cell-method' }, method),
    el('span', { class: 'cell-words' }, path),
    el('span', { class: 'cell-account' }, problem?.code ?? session ?? texts.inspect.tokens[token] ?? token),
    el('span', { class: 'cell-place muted' }, measured(microseconds / 1000, 'millisecond', { digits: 1 })),
    el('span', { class: 'cell-thread muted' }, fileSize(sent)),
  ];
}
