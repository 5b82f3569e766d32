/** The inspector's first view: the event log, live. */
import { el, set, setText, soon } from './dom.js';
import { fullTime } from './format.js';
import { copyLine, filterChoice, filterField, quoted, shownOf } from './inspect-parts.js';
import { LogBook } from './log-book.js';
import { RowList } from './row-list.js';
import { texts } from './texts.js';
import { VisibleWork } from './visible-work.js';

/** How many of the newest events a new log begins with. */
const FIRST = 500;

export class LogView {
  #parley;
  #filters;
  #keep;
  #book = new LogBook();
  #cursor; // where the log goes on
  #isPaused = false;
  #said = ''; // what the state line says of the stream
  #refresh = soon(() => this.#render());

  /** @param {import('../parley.js').Parley} parley @param {Record<string, string>} filters  from the address
   *  @param {{keep: (filters: object) => void, failed: (error: Error) => Promise<void>|void}} page */
  constructor(parley, filters, { keep, failed }) {
    this.#parley = parley;
    this.#filters = filters;
    this.#keep = keep;
    this.work = new VisibleWork((signal) => this.#follow(signal), failed);
    const t = texts.inspect;
    const field = (name, label, how) => filterField(label, `log-${name}`, filters[name] ?? '', (value) => this.#change(name, value), how);
    this.pause = el('button', { type: 'button', class: 'quiet', data: { test: 'log-pause' }, on: { click: () => this.#turn() } }, t.pause);
    this.state = el('p', { class: 'muted', role: 'status', data: { test: 'log-state' } });
    this.lines = el('div', { class: 'lines' });
    this.list = new RowList({
      label: t.log, test: 'log-rows', cells: logCells, detail: (row) => this.#detail(row),
      kind: (row) => (row.isRedacted ? 'redacted' : row.cursor ? undefined : 'live'),
    });
    this.element = el(
      'section',
      { class: 'view', 'aria-label': t.log },
      el(
        'div',
        { class: 'filters' },
        filterChoice(t.from, 'log-from', filters.from ?? '', [['', t.fromNewest({ count: FIRST })], ['earliest', t.fromEarliest]], (value) => this.#change('from', value)),
        field('types', t.types, { placeholder: 'message.created' }),
        field('session', t.session),
        field('account', t.account),
        field('thread', t.thread),
        field('text', t.text),
        this.pause,
      ),
      this.state,
      this.list.element,
      el('details', { class: 'follow' }, el('summary', { data: { test: 'log-follow' } }, t.followFromHere), this.lines),
    );
    this.#book.filter(filters);
    this.#render();
  }

  /** The feed's query, without its beginning. */
  get #query() {
    const { session, types } = this.#filters;
    return { ...(session ? { session } : { all: 'true' }), ...(types && { types: types.replaceAll(' ', '') }) };
  }

  async #follow(signal) {
    if (this.#isPaused) return new Promise((resolve) => signal.addEventListener('abort', resolve));
    const start = this.#filters.from === 'earliest' ? { earliest: 'true' } : { last: FIRST };
    // With a cursor the stream says itself where it goes on.
    const query = { ...this.#query, ...(this.#cursor === undefined && start) };
    const onState = (state) => this.#say(texts.inspect.states[state] ?? state);
    for await (const event of this.#parley.stream('/v1/events', { query, after: this.#cursor, signal, onState })) {
      this.#cursor = event.id ?? this.#cursor;
      if (event.type === 'reset') this.#say(texts.inspect.lost({ reason: event.data.reason }));
      if (event.type !== 'ready' && event.type !== 'ping') this.#book.add(event);
      this.#refresh();
    }
    return undefined;
  }

  #change(name, value) {
    if ((this.#filters[name] ?? '') === value) return;
    this.#filters[name] = value;
    this.#keep(this.#filters);
    if (['from', 'types', 'session'].includes(name)) {
      // Other events come then: the log begins anew.
      this.#book.clear();
      this.#cursor = undefined;
      this.work.restart();
    } else {
      this.#book.filter(this.#filters);
    }
    this.#refresh();
  }

  /** Stops and goes on. Nothing is lost: the log goes on at the cursor. */
  #turn() {
    this.#isPaused = !this.#isPaused;
    setText(this.pause, this.#isPaused ? texts.inspect.goOn : texts.inspect.pause);
    set(this.pause, 'aria-pressed', String(this.#isPaused));
    if (this.#isPaused) this.#said = texts.inspect.paused;
    else this.list.toEnd();
    this.work.restart();
    this.#refresh();
  }

  #say(words) {
    this.#said = words;
    this.#refresh();
  }

  #render() {
    this.list.show(this.#book.shown);
    const { shown, rows } = this.#book;
    setText(this.state, [this.#said, shownOf(shown.length, rows.length, texts.inspect.events, texts.inspect.eventsOf)].filter(Boolean).join(' · '));
    const key = JSON.stringify([this.#cursor, this.#query]);
    if (this.lines.dataset.key === key) return;
    this.lines.dataset.key = key;
    this.lines.replaceChildren(...this.#ways(this.#cursor));
  }

  /** How to follow from a place, each way as a line for a shell. */
  #ways(cursor) {
    const { session, types } = this.#query;
    const query = new URLSearchParams({ ...this.#query, ...(cursor && { after: cursor }) });
    const curl = `curl -sSN -H "Authorization: Bearer $(parley token)" '${location.origin}/v1/events?${query}'`;
    const tail = ['parley tail', session ? quoted(session) : '--all', types && `--types ${quoted(types)}`, cursor && `--after ${cursor}`];
    return [
      copyLine(texts.inspect.cursor, 'cursor', cursor ?? ''),
      copyLine('curl', 'follow-curl', curl),
      copyLine('parley', 'follow-tail', tail.filter(Boolean).join(' ')),
    ];
  }

  #detail(row) {
    return el(
      'div',
      {},
      row.isRedacted && el('p', { class: 'danger-text' }, texts.inspect.redactedHint),
      el('pre', { tabindex: '0', data: { test: 'row-json' } }, JSON.stringify(JSON.parse(row.json), null, 2)),
      ...(row.cursor ? this.#ways(row.cursor) : []),
    );
  }
}

function logCells({ at, type, account, thread, words, isRedacted, cursor }) {
  return [
    el('time', { class: 'cell-time muted', datetime: at, title: at && fullTime(at) }, at ? at.slice(11, 23) : texts.inspect.live),
    el('span', { class: 'cell-type' }, type),
    el('span', { class: 'cell-place muted' }, cursor?.split('-').at(-1) ?? ''),
    el('span', { class: 'cell-account' }, account ?? ''),
    el('span', { class: 'cell-words' }, isRedacted ? el('em', { data: { test: 'redacted' } }, texts.inspect.redacted) : words),
    el('span', { class: 'cell-thread muted' }, thread ?? ''),
  ];
}
