/** The inspector's view of the CXone sandbox: its sockets, its frames, and what is to go wrong. */
import { el, setText, soon } from './dom.js';
import { fileSize, fullTime, moment } from './format.js';
import { filterField, table } from './inspect-parts.js';
import { RowList } from './row-list.js';
import { texts } from './texts.js';
import { pause, VisibleWork } from './visible-work.js';

const EVERY = 2000;
const MOST = 500;
const KINDS = ['loseAnswer', 'delayAnswer', 'refuse', 'duplicatePush', 'reorderPush', 'dropSocket', 'expireToken'];

export class SandboxView {
  #parley;
  #filters;
  #keep;
  #frames = [];
  #last = 0;
  #refresh = soon(() => this.#render());

  /** @param {import('../parley.js').Parley} parley @param {Record<string, string>} filters  from the address
   *  @param {{keep: (filters: object) => void, run: (action: () => Promise<void>) => void, failed: (error: Error) => Promise<void>|void}} page */
  constructor(parley, filters, { keep, run, failed }) {
    this.#parley = parley;
    this.#filters = filters;
    this.#keep = keep;
    const works = [(signal) => this.#watch(signal), (signal) => this.#follow(signal)].map((work) => new VisibleWork(work, failed));
    this.work = { start: () => works.forEach((one) => one.start()), stop: () => works.forEach((one) => one.stop()) };
    const t = texts.inspect;
    this.sockets = el('div');
    this.faults = el('div');
    this.list = new RowList({
      label: t.frames, test: 'frame-rows', cells: frameCells, detail: frameDetail,
      kind: ({ direction }) => direction,
    });
    const kind = el('select', { name: 'kind', data: { test: 'fault-kind' } }, KINDS.map((one) => el('option', { value: one }, one)));
    const event = el('input', { name: 'event', placeholder: 'SendMessage', autocomplete: 'off', data: { test: 'fault-event' } });
    const customer = el('input', { name: 'customer', autocomplete: 'off', data: { test: 'fault-customer' } });
    const count = el('input', { name: 'count', type: 'number', min: 1, max: 1000, value: 1, data: { test: 'fault-count' } });
    const label = (text, input) => el('label', { class: 'filter' }, el('span', {}, text), input);
    const add = async () => {
      const more = { event: event.value.trim() || undefined, customer: customer.value.trim() || undefined, count: Number(count.value) || 1 };
      await parley.request('POST', '/v1/sandbox/faults', { body: { kind: kind.value, ...more }, key: crypto.randomUUID() });
      await this.#loadFaults();
    };
    const clear = async () => {
      await parley.request('DELETE', '/v1/sandbox/faults');
      await this.#loadFaults();
    };
    const submit = (happening) => {
      happening.preventDefault();
      run(add);
    };
    this.element = el(
      'section',
      { class: 'view scrolls', 'aria-label': t.sandbox },
      el('h2', {}, t.sockets),
      this.sockets,
      el('h2', {}, t.faults),
      el(
        'form',
        { class: 'filters', on: { submit } },
        label(t.kind, kind), label(t.event, event), label(texts.people.customer, customer), label(t.count, count),
        el('button', { type: 'submit', class: 'primary', data: { test: 'add-fault' } }, t.addFault),
        el('button', { type: 'button', class: 'quiet', data: { test: 'clear-faults' }, on: { click: () => run(clear) } }, t.clearFaults),
      ),
      this.faults,
      el('h2', {}, t.frames),
      el('div', { class: 'filters' }, filterField(t.text, 'frame-text', filters.text ?? '', (value) => this.#change('text', value)),
        filterField(t.socket, 'frame-socket', filters.socket ?? '', (value) => this.#change('socket', value))),
      this.list.element,
    );
  }

  async #watch(signal) {
    while (!signal.aborted) {
      const { items } = await this.#parley.request('GET', '/v1/sandbox/sockets', { signal });
      const t = texts.inspect;
      const rows = items.map((one) => [
        String(one.number), one.customer, `${one.channel} · ${one.authorization}`, one.platform, String(one.received), String(one.sent), fileSize(one.unsent), moment(one.since),
      ]);
      const titles = [t.socket, texts.people.customer, t.channel, t.platform, t.received, t.sent, t.unsent, t.since];
      this.#put(this.sockets, rows.length ? table(t.sockets, 'sockets', titles, rows) : el('p', { class: 'muted' }, t.noSockets));
      await this.#loadFaults(signal);
      await pause(EVERY, signal);
    }
  }

  async #loadFaults(signal) {
    const { items } = await this.#parley.request('GET', '/v1/sandbox/faults', { signal });
    const t = texts.inspect;
    const rows = items.map((one) => [one.kind, one.event, one.customer, one.count === undefined ? '' : String(one.count), one.errorCode]);
    this.#put(this.faults, rows.length ? table(t.faults, 'faults', [t.kind, t.event, texts.people.customer, t.count, t.errorCode], rows) : el('p', { class: 'muted', data: { test: 'no-faults' } }, t.noFaults));
  }

  #put(part, element) {
    if (part.textContent !== element.textContent || !part.firstChild) part.replaceChildren(element);
  }

  async #follow(signal) {
    while (!signal.aborted) {
      const page = await this.#parley.request('GET', '/v1/sandbox/frames', { query: { after: this.#last, wait: 25 }, wait: 25, signal });
      if (page.last < this.#last) this.#frames = [];
      this.#frames = [...this.#frames, ...page.items.map((one) => ({ ...one, id: String(one.number) }))].slice(-MOST);
      this.#last = page.last;
      this.#refresh();
    }
  }

  #change(name, value) {
    this.#filters[name] = value;
    this.#keep(this.#filters);
    this.#refresh();
  }

  #render() {
    const { text, socket } = this.#filters;
    const wanted = text?.toLowerCase();
    this.list.show(this.#frames.filter((one) =>
      (!socket || String(one.socket) === socket) && (!wanted || one.text.toLowerCase().includes(wanted))));
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
