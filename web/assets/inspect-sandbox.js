/** The inspector's view of a platform's sandbox: its sockets, its frames, what is to go wrong, and a clean start. */
import { ask } from './dialogs.js';
import { el, setText, soon } from './dom.js';
import { fileSize, fullTime, moment } from './format.js';
import { FrameBook, MOST } from './frame-book.js';
import { FaultsPart } from './inspect-faults.js';
import { filterChoice, filterField, shownOf, table } from './inspect-parts.js';
import { RowList } from './row-list.js';
import { texts } from './texts.js';
import { pause, VisibleWork } from './visible-work.js';

const EVERY = 2000;

/** The platforms for which the gateway stands in. @param {{sandbox?: object, sendbirdSandbox?: object}} info */
export const platformsOf = ({ sandbox, sendbirdSandbox }) => [sandbox && 'cxone', sendbirdSandbox && 'sendbird'].filter(Boolean);

export class SandboxView {
  #parley;
  #filters;
  #keep;
  #platform; // which sandbox requests mean
  #book = new FrameBook();
  #cursor; // where the stream of frames goes on
  #said = ''; // what the state line says of the stream
  #refresh = soon(() => this.#render());

  /** @param {import('../parley.js').Parley} parley @param {Record<string, string>} filters  from the address
   *  @param {{platforms: string[], keep: (filters: object) => void, again: (filters: object) => void, run: (action: () => Promise<void>) => void,
   *    failed: (error: Error) => Promise<void>|void}} page  `again` shows the view anew */
  constructor(parley, filters, { platforms, keep, again, run, failed }) {
    this.#platform = platforms.includes(filters.platform) ? filters.platform : platforms[0];
    this.#parley = parley;
    this.#filters = filters;
    this.#keep = keep;
    const works = [(signal) => this.#watch(signal), (signal) => this.#follow(signal)].map((work) => new VisibleWork(work, failed));
    this.work = { start: () => works.forEach((one) => one.start()), stop: () => works.forEach((one) => one.stop()) };
    const t = texts.inspect;
    // Only apps of CXone hold sockets.
    this.sockets = this.#platform === 'cxone' ? el('div') : undefined;
    this.faults = new FaultsPart(parley, { platform: this.#platform, run });
    this.done = el('span', { class: 'muted', role: 'status', data: { test: 'reset-done' } });
    this.state = el('p', { class: 'muted', role: 'status', data: { test: 'frame-state' } });
    this.list = new RowList({
      label: t.frames, test: 'frame-rows', cells: frameCells, detail: frameDetail,
      kind: ({ direction }) => direction,
    });
    this.element = el(
      'section',
      { class: 'view scrolls', 'aria-label': t.sandbox },
      el('div', { class: 'filters' },
        ...(platforms.length > 1 ? [
          filterChoice(t.platform, 'platform', this.#platform, platforms.map((one) => [one, t.platforms[one]]),
            (platform) => again({ ...this.#filters, platform })),
        ] : []),
        el('button', { type: 'button', class: 'quiet danger-text', data: { test: 'reset' }, on: { click: () => run(() => this.#reset()) } }, t.cleanStart),
        this.done),
      ...(this.sockets ? [el('h2', {}, t.sockets), this.sockets] : []),
      ...this.faults.elements,
      el('h2', {}, t.frames),
      el('div', { class: 'filters' }, filterField(t.text, 'frame-text', filters.text ?? '', (value) => this.#change('text', value)),
        filterField(t.socket, 'frame-socket', filters.socket ?? '', (value) => this.#change('socket', value))),
      this.state,
      this.list.element,
    );
    this.#book.filter(filters);
  }

  async #watch(signal) {
    while (!signal.aborted) {
      await this.#loadSockets(signal);
      await this.faults.load(signal);
      await pause(EVERY, signal);
    }
  }

  async #loadSockets(signal) {
    if (!this.sockets) return;
    const { items } = await this.#parley.request('GET', '/v1/sandbox/sockets', { signal });
    const t = texts.inspect;
    const rows = items.map((one) => [
      String(one.number), one.customer, `${one.channel} · ${one.authorization}`, one.platform, String(one.received), String(one.sent), fileSize(one.unsent), moment(one.since),
    ]);
    const titles = [t.socket, texts.people.customer, t.channel, t.platform, t.received, t.sent, t.unsent, t.since];
    const made = rows.length ? table(t.sockets, 'sockets', titles, rows) : el('p', { class: 'muted' }, t.noSockets);
    if (this.sockets.textContent !== made.textContent || !this.sockets.firstChild) this.sockets.replaceChildren(made);
  }

  async #follow(signal) {
    const path = '/v1/sandbox/frames/events';
    // With a cursor the stream says itself where it goes on.
    const query = { platform: this.#platform, ...(this.#cursor === undefined && { last: MOST }) };
    const onState = (state) => this.#say(texts.inspect.states[state] ?? state);
    for await (const { id, type, data } of this.#parley.stream(path, { query, after: this.#cursor, signal, onState })) {
      this.#cursor = id ?? this.#cursor;
      if (type === 'frame') this.#book.add(data);
      if (type === 'reset') {
        this.#book.replace(await this.#parley.request('GET', data.snapshot, { signal }));
        this.#say(texts.inspect.lost({ reason: data.reason }));
      }
      this.#refresh();
    }
  }

  /** Asks, and begins with a clean sandbox. */
  async #reset() {
    const t = texts.inspect;
    const text = this.#platform === 'cxone' ? t.cleanStartHint : t.cleanStartHintSendbird;
    const answer = await ask({ title: t.cleanStart, text, submit: t.cleanStartSubmit, danger: true, test: 'reset' });
    if (!answer) return;
    const { sockets, threads, customers } = await this.#parley.request('POST', '/v1/sandbox/reset', {
      query: { platform: this.#platform }, key: crypto.randomUUID(),
    });
    const counts = { sockets: t.socketCount({ count: sockets }), threads: t.threadCount({ count: threads }), customers: t.customerCount({ count: customers }) };
    setText(this.done, t.cleaned(counts));
    await this.#loadSockets();
    await this.faults.load();
  }

  #change(name, value) {
    this.#filters[name] = value;
    this.#keep(this.#filters);
    this.#book.filter(this.#filters);
    this.#refresh();
  }

  #say(words) {
    this.#said = words;
    this.#refresh();
  }

  #render() {
    const { shown, count } = this.#book;
    this.list.show(shown);
    setText(this.state, [this.#said, shownOf(shown.length, count, texts.inspect.frameCount, texts.inspect.frameCountOf)].filter(Boolean).join(' · '));
  }
}

function frameCells({ at, socket, direction, type, text, size, method, path, status, reason, faultKind }) {
  const t = texts.inspect;
  return [
    el('time', { class: 'cell-time muted', datetime: at, title: fullTime(at) }, at.slice(11, 23)),
    el('span', { class: 'cell-place muted' }, socket === undefined ? '' : String(socket)),
    el('span', { class: 'cell-method' }, t.directions[direction] ?? direction),
    el('span', { class: 'cell-type' }, type ?? ''),
    el('span', { class: 'cell-words' }, [faultKind, method, path, status, reason, text].filter(Boolean).join(' ').slice(0, 200)),
    el('span', { class: 'cell-thread muted' }, fileSize(size)),
  ];
}

function frameDetail({ text }) {
  const pre = el('pre', { tabindex: '0', data: { test: 'frame-json' } });
  try {
    setText(pre, JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    setText(pre, text); // a frame that is cut
  }
  return pre;
}
