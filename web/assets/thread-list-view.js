/** The list of conversations: segments on top, one item a thread. */
import { avatar, showAvatar } from './avatar.js';
import { el, place, set, setText, soon } from './dom.js';
import { counted, shortTime, summary } from './format.js';
import { authorName, isGroup, isInvited } from './membership.js';
import { roving } from './roving.js';
import { tagChips } from './tag-chips.js';
import { texts } from './texts.js';
import { activity } from './thread-index.js';

export class ThreadListView {
  #items = new Map(); // key -> element
  #refreshRoving;

  /** @param {{segments: {state: string, label: string, test: string}[], empty: (state: string) => string,
   *           open: (key: string) => void, itemTest: string, accept?: (thread: object) => boolean, start?: HTMLElement,
   *           offers?: (state: string) => boolean, selection?: import('./thread-selection.js').ThreadSelection,
   *           chooseLabel?: (name: string) => string, tools?: Node[], changed?: () => void,
   *           facts?: (thread: object) => {assignee?: string, waits?: string, tags?: import('./tag-book.js').Tag[]},
   *           filters?: {name: string, label: string, accept: (thread: object) => unknown, query?: () => object,
   *                      empty?: string}[], filtered?: () => void}} options
   *  `start`: a button for whoever has no conversation yet; `offers`: which segments there are now; `selection`: several can be
   *  chosen, each by a box with the label `chooseLabel`; `tools`: what stands between filters and list; `changed`: another segment is on show; `facts`: what else an item
   *  says; `filters`: of conversations that are not closed, the first one is chosen at the beginning; `query`: asks the gateway
   *  for them, `accept`: whether one is among them; `filtered`: another one was chosen */
  constructor({
    segments,
    empty,
    open,
    itemTest,
    accept = () => true,
    start,
    offers = () => true,
    facts = () => ({}),
    filters = [],
    filtered = () => {},
    selection,
    chooseLabel = (name) => name,
    tools = [],
    changed = () => {},
  }) {
    Object.assign(this, { empty, open, itemTest, accept, facts, filters, filtered, selection, chooseLabel, changed });
    this.filter = filters[0];
    const button = (label, test, data, click) =>
      el('button', { type: 'button', data: { test, ...data }, on: { click } }, label, el('span', { class: 'count', hidden: true }));
    this.filterButtons = filters.map(({ name, label }) => button(label, `filter-${name}`, { name }, () => this.choose(name)));
    this.filterBar = el('div', { class: 'filters', role: 'group', 'aria-label': texts.list.filters, hidden: true }, this.filterButtons);
    this.start = el('div', { class: 'start', hidden: true }, start);
    this.segments = segments.map(({ state, label, test }) => button(label, test, { state }, () => this.show(state)));
    this.offers = offers;
    this.list = el('ul', { class: 'threads', 'aria-label': texts.common.conversations });
    this.note = el('p', { class: 'empty', data: { test: 'list-empty' } }, texts.common.loading);
    this.more = el(
      'button',
      { type: 'button', class: 'quiet more', hidden: true, data: { test: 'more-threads' }, on: { click: () => this.inbox.loadMore() } },
      texts.common.showMore,
    );
    const bar = el('div', { class: 'segments', role: 'group', 'aria-label': texts.list.which }, this.segments);
    this.element = el(
      'div',
      { class: 'list-body' },
      bar,
      this.filterBar,
      ...tools,
      el('div', { class: 'list-scroll' }, this.list, this.note, this.start, this.more),
    );
    this.#refreshRoving = roving(this.list, '.thread');
    selection?.addEventListener('change', () => this.inbox && this.render());
  }

  /** @param {import('./inbox.js').Inbox} inbox */
  attach(inbox) {
    this.inbox = inbox;
    const render = soon(() => inbox === this.inbox && this.render());
    inbox.addEventListener('change', render);
    inbox.addEventListener('open', render);
    this.render();
  }

  detach() {
    this.inbox = undefined;
    this.#items.clear();
    place(this.list, []);
  }

  render() {
    const { side, state, conversation } = this.inbox;
    for (const button of this.segments) {
      set(button, 'aria-pressed', String(button.dataset.state === state));
      button.hidden = !this.offers(button.dataset.state);
    }
    const isFiltered = this.filters.length > 0 && state !== 'closed';
    this.filterBar.hidden = !isFiltered;
    this.filters.forEach((filter, at) => set(this.filterButtons[at], 'aria-pressed', String(filter === this.filter)));
    const ofFilter = isFiltered ? this.filter.accept : () => true;
    const threads = this.inbox.threads(state).filter((thread) => this.accept(thread) && ofFilter(thread));
    const before = this.#items;
    this.#items = new Map(
      threads.map((thread) => [side.key(thread), before.get(side.key(thread)) ?? this.#make(side.key(thread), thread.id)]),
    );
    for (const thread of threads) this.#update(thread, side.key(thread) === conversation?.key);
    place(this.list, [...this.#items.values()]);
    this.list.classList.toggle('selecting', Boolean(this.selection?.isOn));
    const loaded = this.inbox.isLoaded(state);
    this.note.hidden = threads.length > 0;
    const none = (isFiltered && this.filter.empty) || this.empty(state);
    setText(this.note, loaded ? none : texts.common.loading);
    this.start.hidden = threads.length > 0 || !loaded || state !== 'open';
    this.more.hidden = !this.inbox.hasMore(state);
    this.#refreshRoving();
    this.selection?.keep(this.keys); // what has left the list is meant no more
  }

  /** @param {string} state  of a segment */
  show(state) {
    const isOther = this.inbox?.state !== state;
    this.inbox?.show(state);
    if (isOther) this.changed();
  }

  /** Chooses a filter by its name. */
  choose(name) {
    this.filter = this.filters.find((one) => one.name === name) ?? this.filters[0];
    this.render();
    this.filtered();
  }

  /** Shows how many there are. @param {Record<string, string|undefined>} counts  by the names of segments and filters
   *  @param {Record<string, string|undefined>} [more]  what to say of one besides, where there is room for it */
  showCounts(counts, more = {}) {
    for (const button of [...this.segments, ...this.filterButtons]) {
      const name = button.dataset.state ?? button.dataset.name;
      button.lastChild.hidden = counts[name] === undefined;
      setText(button.lastChild, counts[name] ?? '');
      set(button, 'title', more[name]);
    }
  }

  /** The keys of the conversations on show, in their order. @returns {string[]} */
  get keys() {
    return [...this.#items.keys()];
  }

  /** The key of the conversation that has the keyboard, or is open. @returns {string|undefined} */
  get current() {
    const at = document.activeElement?.closest('li');
    const held = [...this.#items].find(([, item]) => item === at)?.[0];
    const open = this.inbox?.conversation?.key;
    return held ?? (this.#items.has(open) ? open : undefined);
  }

  /** What the chosen filter asks for in a list. @param {string} state */
  query(state) {
    return (state !== 'closed' && this.filter?.query?.()) || {};
  }

  /** Puts the focus on the open conversation, or on the first. @returns {boolean}  whether there is any */
  focus() {
    const item = this.list.querySelector('[aria-current]') ?? this.list.querySelector('.thread');
    item?.focus();
    return Boolean(item);
  }

  /** Puts the focus on the button with which one starts. */
  focusStart() {
    this.start.querySelector('button')?.focus();
  }

  #make(key, id) {
    const click = (event) => {
      if (this.selection && event.shiftKey) return this.selection.extend(key, this.keys);
      return this.selection?.isOn ? this.selection.toggle(key) : this.open(key);
    };
    const box = this.selection && el('input', {
      type: 'checkbox',
      class: 'thread-box',
      data: { test: 'select-thread', id },
      on: { click: ({ shiftKey }) => (shiftKey ? this.selection.extend(key, this.keys) : this.selection.toggle(key)) },
    });
    return el(
      'li',
      {},
      box,
      el(
        'button',
        { type: 'button', class: 'thread', data: { test: this.itemTest, id }, on: { click } },
        avatar(),
        el(
          'span',
          { class: 'thread-text' },
          el(
            'span',
            { class: 'thread-row' },
            el('span', { class: 'thread-title', dir: 'auto' }),
            el('span', { class: 'tag small', hidden: true }),
            el('time'),
          ),
          el(
            'span',
            { class: 'thread-row' },
            el('span', { class: 'thread-sub', dir: 'auto' }),
            el('span', { class: 'thread-assignee', dir: 'auto', hidden: true, data: { test: 'assignee' } }),
          ),
          el(
            'span',
            { class: 'thread-row' },
            el('span', { class: 'thread-preview', dir: 'auto' }),
            el('span', { class: 'thread-waits', hidden: true, data: { test: 'waits' } }),
            el('span', { class: 'badge', role: 'img', data: { test: 'unread' } }),
          ),
          this.selection && el('span', { class: 'chips', hidden: true, data: { test: 'list-tags' } }),
        ),
      ),
    );
  }

  #update(thread, isOpen) {
    const { side } = this.inbox;
    const row = this.#items.get(side.key(thread));
    const item = row.querySelector('.thread');
    const part = (name) => item.querySelector(name);
    if (this.selection) this.#updateChoice(row, thread);
    showAvatar(part('.avatar'), side, thread);
    setText(part('.thread-title'), side.title(thread));
    setText(part('.thread-sub'), side.subtitle(thread));
    part('.thread-sub').hidden = !side.subtitle(thread);
    const facts = this.facts(thread);
    for (const name of ['assignee', 'waits']) {
      part(`.thread-${name}`).hidden = !facts[name];
      setText(part(`.thread-${name}`), facts[name] ?? '');
    }
    const tag = isInvited(thread) ? texts.list.invited : thread.queuePosition ? texts.list.waiting({ position: thread.queuePosition }) : '';
    part('.tag').hidden = !tag;
    setText(part('.tag'), tag);
    setText(part('.thread-preview'), preview(thread, side));
    setText(part('time'), shortTime(activity(thread)));
    set(part('time'), 'datetime', activity(thread));
    const unread = side.unread(thread);
    const badge = part('.badge');
    badge.hidden = unread === 0;
    setText(badge, unread > 99 ? `${counted(99)}+` : counted(unread));
    set(badge, 'aria-label', texts.list.unread({ count: unread }));
    set(item, 'aria-current', isOpen && 'true');
    set(item, 'data-state', thread.state);
    item.classList.toggle('has-unread', unread > 0);
  }

  #updateChoice(row, thread) {
    const { side } = this.inbox;
    const [box, item] = row.children;
    box.checked = this.selection.has(side.key(thread));
    set(box, 'aria-label', this.chooseLabel(side.title(thread)));
    set(item, 'data-selected', box.checked && 'true');
    const tags = this.facts(thread).tags ?? [];
    const chips = item.querySelector('.chips');
    chips.hidden = tags.length === 0;
    tagChips(chips, tags);
  }
}

function preview(thread, side) {
  const last = thread.lastMessage;
  if (!last) return texts.list.noMessages;
  const text = summary(last);
  if (last.type === 'admin' || (last.direction !== side.own && !isGroup(thread))) return text;
  return texts.list.said({ who: side.isMe(last.author) ? texts.common.you : authorName(last.author), what: text });
}
