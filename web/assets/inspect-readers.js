/** The inspector's view of who reads: sessions, streams, webhooks and devices, each with how far it is. */
import { DeliveryView } from './delivery-view.js';
import { el, setText } from './dom.js';
import { counted, fileSize, moment, personName } from './format.js';
import { table } from './inspect-parts.js';
import { texts } from './texts.js';
import { pause, VisibleWork } from './visible-work.js';
import { reasonText, urlStart, waitingEvents, webhookName } from './webhook-format.js';

const EVERY = 2000;
const PAGE = 200;

export class ReadersView {
  #parley;
  #run;
  #opened; // id of the target whose deliveries are on show
  #deliveries = new Map(); // id -> DeliveryView
  #shown = new Map(); // part -> what it shows, as JSON
  #missing = new Set(); // paths of parts that this gateway was built without

  /** @param {import('../parley.js').Parley} parley
   *  @param {{run: (action: () => Promise<void>) => void, failed: (error: Error) => Promise<void>|void}} page */
  constructor(parley, { run, failed }) {
    this.#parley = parley;
    this.#run = run;
    this.work = new VisibleWork((signal) => this.#watch(signal), failed);
    this.sessions = el('div');
    this.streams = el('div');
    this.targets = el('div');
    this.list = el('ul', { class: 'deliveries', 'aria-label': texts.deliveries.title });
    this.note = el('p', { class: 'muted', data: { test: 'reader-deliveries-note' } });
    this.said = el('p', { role: 'status', class: 'muted', data: { test: 'reader-said' } });
    this.element = el(
      'section',
      { class: 'view scrolls', 'aria-label': texts.inspect.readers },
      this.sessions, this.streams, this.targets, this.said, this.note, this.list,
    );
  }

  async #watch(signal) {
    while (!signal.aborted) {
      await this.#load(signal);
      await pause(EVERY, signal);
    }
  }

  async #load(signal) {
    const get = (path, query) => this.#parley.request('GET', path, { query, signal });
    // A gateway that was built without them says so once; then there are none.
    const part = async (path, query) => {
      if (this.#missing.has(path)) return { items: [] };
      try {
        return await get(path, query);
      } catch (error) {
        if (error.code !== 'missingPart') throw error;
        this.#missing.add(path);
        return { items: [] };
      }
    };
    const [streams, sessions, webhooks, devices] = await Promise.all([
      get('/v1/streams'),
      get('/v1/sessions', { limit: PAGE }),
      part('/v1/webhooks', { limit: PAGE }),
      part('/v1/desk/devices'),
    ]);
    this.#show('sessions', sessionTable(sessions.items, streams.items));
    this.#show('streams', streamTable(streams.items));
    this.#show('targets', this.#targetTable(webhooks.items, devices.items));
    if (this.#opened) await this.#loadDeliveries(signal);
  }

  /** Puts a new table in place of the old one if it differs: a selection and the keyboard stay where they are. */
  #show(part, element) {
    if (this.#shown.get(part) === element.textContent) return;
    this.#shown.set(part, element.textContent);
    const focused = this[part].contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    this[part].replaceChildren(element);
    if (focused) this[part].querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
  }

  #targetTable(webhooks, devices) {
    const t = texts.inspect;
    const rows = [
      ...webhooks.map((one) => [
        webhookName(one), urlStart(one.url), texts.webhooks.states[one.state] ?? one.state,
        [waitingEvents(one.lag), one.reason && reasonText(one.reason), one.nextAttemptAt && texts.webhook.nextAttemptAt({ when: moment(one.nextAttemptAt) })].filter(Boolean).join(' · '),
        this.#opener({ kind: 'webhook', id: one.id }),
      ]),
      ...devices.map((one) => [one.id, t.deskDevice, one.state ?? '', one.reason ? reasonText(one.reason) : '', this.#opener({ kind: 'device', id: one.id })]),
    ];
    return section(t.targets, rows.length ? table(t.targets, 'targets', [texts.common.name, t.where, texts.webhook.state, t.lag, ''], rows) : none(t.noTargets));
  }

  #opener(target) {
    const click = () => this.#run(() => this.#open(target));
    return el('button', { type: 'button', class: 'quiet', data: { test: 'show-deliveries', id: target.id }, on: { click } }, texts.deliveries.title);
  }

  async #open(target) {
    this.#opened = target;
    this.#deliveries.clear();
    await this.#loadDeliveries();
    this.list.scrollIntoView({ block: 'nearest' });
  }

  async #loadDeliveries(signal) {
    const { kind, id } = this.#opened;
    const base = `/v1/${kind === 'webhook' ? 'webhooks' : 'desk/devices'}/${encodeURIComponent(id)}`;
    const { items } = await this.#parley.request('GET', `${base}/deliveries`, { query: { limit: 50 }, signal });
    const again = (delivery) => this.#run(() => this.#redeliver(base, delivery));
    const views = items.map((item) => {
      const view = this.#deliveries.get(item.id) ?? new DeliveryView(item.id, again);
      this.#deliveries.set(item.id, view);
      view.update(item);
      // What is pushed to a device is not sent again.
      if (kind !== 'webhook') view.again.hidden = true;
      return view.element;
    });
    setText(this.note, items.length ? texts.inspect.deliveriesOf({ id }) : texts.deliveries.noneYet);
    if (views.some((view, index) => this.list.children[index] !== view) || views.length !== this.list.children.length) this.list.replaceChildren(...views);
  }

  async #redeliver(base, delivery) {
    await this.#parley.request('POST', `${base}/deliveries/${encodeURIComponent(delivery)}/redeliver`, { key: crypto.randomUUID() });
    setText(this.said, texts.deliveries.sent);
    await this.#loadDeliveries();
  }
}

const section = (title, ...content) => el('div', {}, el('h2', {}, title), ...content);
const none = (text) => el('p', { class: 'muted' }, text);

/** A session is as far behind as the slowest of its streams. One without a stream is ready, but nobody follows it: its
 *  browser may be gone. */
function sessionTable(sessions, streams) {
  const t = texts.inspect;
  const lag = (id) => {
    const own = streams.filter((stream) => stream.sessions?.includes(id)).map((stream) => stream.lag);
    return own.length ? counted(Math.max(...own)) : '—';
  };
  const isFollowed = ({ id }) => streams.some((stream) => stream.sessions?.includes(id));
  const state = (one) => (one.state === 'ready' && !isFollowed(one) ? t.notFollowed : one.state);
  const rows = sessions.map((one) => [
    el('a', { href: `/inspect?view=log&session=${encodeURIComponent(one.id)}` }, one.id),
    [one.service, one.channel.id].join('/'), personName(one.customer) || one.customer.id, state(one), lag(one.id), moment(one.createdAt),
  ]);
  const titles = [t.session, t.channel, texts.people.customer, texts.webhook.state, t.lag, t.since];
  return section(t.sessions, rows.length ? table(t.sessions, 'sessions', titles, rows) : none(t.noSessions));
}

function streamTable(streams) {
  const t = texts.inspect;
  const rows = streams.map((one) => [
    t.kinds[one.kind] ?? one.kind, one.sessions?.join(', '), counted(one.lag), fileSize(one.bytes), moment(one.since), one.peer, el('code', {}, one.cursor),
  ]);
  return section(t.streams, rows.length ? table(t.streams, 'streams', [t.kind, t.sessions, t.lag, t.sent, t.since, t.peer, t.cursor], rows) : none(t.noStreams));
}
