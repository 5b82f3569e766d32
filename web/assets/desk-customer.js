/** Beside a conversation at the desk: what is noted of it, and the customer's other conversations. */
import { CustomerProfile } from './customer-profile.js';
import { el, place, set, setText, soon } from './dom.js';
import { counted, shortTime, summary } from './format.js';
import { texts } from './texts.js';
import { activity } from './thread-index.js';
import { keepTicket } from './tickets.js';

const MOST = 20; // conversations on show

export class CustomerView {
  #inbox;
  #rows = new Map(); // key -> element
  #asked; // the customer whose conversations were asked for
  #linked; // the key of the conversation to whose transcript the link leads
  #renewLink;

  /** @param {{parley: import('../parley.js').Parley, stream: EventTarget, open: (key: string) => void,
   *           channelOf: (id: string) => import('../parley.js').Channel|undefined, agent: () => object|undefined,
   *           facts: (thread: object) => [string, string][], isShown?: () => boolean}} parts
   *    `isShown`: whether anybody sees it: else nothing is asked for
   *  @param {AbortSignal} [signal]  ends it */
  constructor({ parley, stream, open, channelOf, agent, facts, isShown = () => true }, signal) {
    Object.assign(this, { parley, open, facts, isShown });
    this.profile = new CustomerProfile(parley, stream, channelOf, agent, signal);
    this.name = el('h2', { data: { test: 'beside-name' } });
    this.noted = el('dl', { class: 'facts', data: { test: 'beside-facts' } });
    this.transcript = el('a', { download: '', data: { test: 'transcript-file' } }, texts.desk.transcript);
    this.#renewLink = keepTicket(this.transcript, async () => this.#inbox.side.transcriptURL(this.#inbox.conversation.thread));
    this.heading = el('h3', {}, texts.desk.otherConversations);
    this.list = el('ul', { class: 'others', 'aria-label': texts.desk.otherConversations });
    this.note = el('p', { class: 'muted', data: { test: 'no-others' } }, texts.desk.noOthers);
    this.element = el(
      'section',
      { class: 'beside', 'aria-label': texts.desk.beside, hidden: true, data: { test: 'beside' } },
      this.name,
      this.noted,
      el('p', {}, this.transcript),
      this.profile.element,
      this.heading,
      this.list,
      this.note,
    );
  }

  /** @param {import('./inbox.js').Inbox} inbox @param {AbortSignal} [signal]  ends it */
  attach(inbox, signal) {
    this.#inbox = inbox;
    const render = soon(() => inbox === this.#inbox && !signal?.aborted && this.render());
    inbox.addEventListener('change', render, { signal });
    inbox.addEventListener('open', () => this.render(), { signal });
  }

  render() {
    const { conversation, side, index } = this.#inbox;
    const thread = conversation?.thread;
    // Before the stream follows, what is asked for would be asked for again.
    this.element.hidden = !thread?.customer || !this.#inbox.isJoined;
    if (this.element.hidden) return;
    setText(this.name, side.title({ ...thread, members: [] }));
    this.#showFacts(thread);
    this.#showTranscript(this.#inbox);
    if (this.isShown()) this.profile.show(thread);
    const others = index
      .list()
      .filter((one) => isOfSame(one, thread) && side.key(one) !== conversation.key && one.state !== 'pending')
      .sort((a, b) => (activity(a) < activity(b) ? 1 : -1))
      .slice(0, MOST);
    const before = this.#rows;
    this.#rows = new Map(others.map((one) => [side.key(one), before.get(side.key(one)) ?? this.#make(side.key(one))]));
    for (const one of others) this.#update(this.#rows.get(side.key(one)), one);
    place(this.list, [...this.#rows.values()]);
    this.note.hidden = others.length > 0;
    this.#ask(thread);
  }

  #showTranscript({ conversation, side }) {
    if (this.#linked === side.key(conversation.thread)) return;
    this.#linked = side.key(conversation.thread);
    this.transcript.removeAttribute('href');
    this.#renewLink();
  }

  #showFacts(thread) {
    const pairs = this.facts(thread);
    const shown = JSON.stringify(pairs);
    this.noted.hidden = pairs.length === 0;
    if (shown === this.noted.dataset.shown) return;
    this.noted.replaceChildren(...pairs.flatMap(([label, value]) => [el('dt', {}, label), el('dd', { dir: 'auto' }, value)]));
    this.noted.dataset.shown = shown;
  }

  /** Those that the lists have not loaded yet: once for each customer that is looked at. */
  async #ask({ channel, customer }) {
    const wanted = JSON.stringify([channel, customer.id]);
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    const inbox = this.#inbox;
    try {
      const { items } = await this.parley.desk.threads.list({ state: 'all', channel, customer: customer.id, limit: MOST });
      if (inbox === this.#inbox) inbox.learn(items);
    } catch (error) {
      if (wanted === this.#asked) this.#asked = undefined; // the next occasion tries again
      console.warn(error);
    }
  }

  #make(key) {
    const button = el(
      'button',
      { type: 'button', class: 'sibling', data: { test: 'other-thread' }, on: { click: () => this.open(key) } },
      el('span', { class: 'sibling-title', dir: 'auto' }),
      el('span', { class: 'sibling-state muted' }),
    );
    return el('li', {}, button);
  }

  #update(row, thread) {
    const button = row.firstElementChild;
    const [title, state] = button.children;
    set(button, 'data-id', thread.id);
    setText(title, thread.name || (thread.lastMessage ? summary(thread.lastMessage) : texts.common.conversation));
    const name = thread.state === 'closed' ? texts.desk.listClosed : texts.desk.listOpen;
    const rating = thread.rating && texts.customer.score({ score: counted(thread.rating.score) });
    setText(state, [name, shortTime(activity(thread)), rating].filter(Boolean).join(' · '));
  }
}

/** The same in a dialog, where there is no room beside the conversation.
 *  @param {import('./inbox.js').Inbox} inbox @param {ConstructorParameters<typeof CustomerView>[0]} parts */
export function showCustomer(inbox, { open, ...parts }) {
  const end = new AbortController();
  const openAndClose = (key) => {
    dialog.close();
    open(key);
  };
  const view = new CustomerView({ ...parts, open: openAndClose, isShown: () => true }, end.signal);
  const attributes = { type: 'button', class: 'primary', data: { test: 'beside-close' }, on: { click: () => dialog.close() } };
  const done = el('button', attributes, texts.common.done);
  const dialog = el(
    'dialog',
    { 'aria-label': texts.desk.beside, data: { test: 'beside-dialog' } },
    view.element,
    el('div', { class: 'dialog-buttons' }, el('span', { class: 'spacer' }), done),
  );
  dialog.addEventListener('close', () => {
    end.abort();
    dialog.remove();
  });
  view.attach(inbox, end.signal);
  view.render();
  document.body.append(dialog);
  dialog.showModal();
  done.focus();
}

const isOfSame = (one, { channel, customer }) => one.channel === channel && one.customer?.id === customer.id;
