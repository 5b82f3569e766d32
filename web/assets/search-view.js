/** The search box above the list, and what was found in place of the list. */
import { el, icon, iconButton, place, set, setText } from './dom.js';
import { fullTime, shortTime } from './format.js';
import { roving } from './roving.js';
import { problemText, texts } from './texts.js';
import { activity } from './thread-index.js';

const PAUSE = 250; // ms after the last key
const MOST_TITLES = 10;

/** Case and accents do not matter. */
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export class SearchView {
  #timer;
  #abort;
  #next;
  #rows = [];
  #refreshRoving;

  /** @param {{open: (found: {message: object, threadId: string}) => void, openThread: (key: string) => void,
   *           toggled: (isOn: boolean) => void}} options
   *  `toggled`: whether results stand in place of the list */
  constructor({ open, openThread, toggled }) {
    Object.assign(this, { open, openThread, toggled });
    this.input = el('input', {
      type: 'search',
      placeholder: texts.search.label,
      'aria-label': texts.search.label,
      autocomplete: 'off',
      dir: 'auto',
      maxlength: 256,
      data: { test: 'search' },
      on: { input: () => this.#changed(), keydown: (event) => this.#pressed(event) },
    });
    this.clear = iconButton(
      'close',
      texts.search.end,
      { hidden: true, data: { test: 'search-clear' }, on: { click: () => this.end(true) } },
    );
    const submit = (event) => (event.preventDefault(), this.#search());
    this.box = el('form', { class: 'search', role: 'search', on: { submit } }, icon('search'), this.input, this.clear);
    this.list = el('ul', { class: 'threads found', 'aria-label': texts.search.found });
    this.titles = el('ul', { class: 'threads found', 'aria-label': texts.search.conversations });
    this.note = el('p', { class: 'empty', role: 'status', data: { test: 'search-note' } });
    this.more = el(
      'button',
      {
        type: 'button',
        class: 'quiet more',
        hidden: true,
        data: { test: 'search-more' },
        on: { click: () => this.#search(this.#next) },
      },
      texts.common.showMore,
    );
    this.results = el(
      'div',
      { class: 'list-scroll', hidden: true, data: { test: 'search-results' } },
      this.titles,
      this.list,
      this.note,
      this.more,
    );
    this.#refreshRoving = roving(this.results, '.thread');
  }

  /** @param {import('./inbox.js').Inbox|undefined} inbox */
  attach(inbox) {
    this.inbox = inbox;
    this.end();
  }

  end(takeFocus = false) {
    this.input.value = '';
    this.#changed();
    if (takeFocus) this.input.focus();
  }

  #pressed(event) {
    if (event.key === 'Escape' && this.input.value) {
      event.preventDefault();
      event.stopPropagation();
      this.end();
    } else if (event.key === 'ArrowDown' && this.results.querySelector('.thread')) {
      event.preventDefault();
      this.results.querySelector('.thread').focus();
    }
  }

  #changed() {
    clearTimeout(this.#timer);
    const isOn = this.input.value.trim() !== '';
    this.clear.hidden = !isOn;
    this.results.hidden = !isOn;
    this.toggled(isOn);
    this.#showTitles();
    if (isOn) this.#timer = setTimeout(() => this.#search(), PAUSE);
    else this.#show([], undefined, '');
  }

  async #search(cursor) {
    clearTimeout(this.#timer);
    const q = this.input.value.trim();
    if (!q || !this.inbox) return;
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    if (!cursor) this.#askTitles(q, abort.signal);
    try {
      const { items, next } = await this.inbox.side.search(q, { limit: 30, cursor, signal: abort.signal });
      if (abort.signal.aborted || q !== this.input.value.trim()) return;
      this.#show(cursor ? [...this.#rows, ...items] : items, next, items.length || cursor || this.titles.firstChild ? '' : texts.search.nothing);
    } catch (error) {
      if (!abort.signal.aborted) this.#show([], undefined, problemText(error, texts.search.failed));
    }
  }

  #show(rows, next, words) {
    this.#rows = rows;
    this.#next = next;
    place(this.list, rows.map((found) => this.#row(found)));
    setText(this.note, words);
    this.note.hidden = !words;
    this.more.hidden = !next;
    this.#refreshRoving();
  }

  /** Conversations that the page does not know yet, by their titles. */
  async #askTitles(q, signal) {
    const { inbox } = this;
    try {
      const { items } = (await inbox.side.titled?.(q, { limit: MOST_TITLES, signal })) ?? { items: [] };
      if (signal.aborted || inbox !== this.inbox || !items.length) return;
      inbox.learn(items);
      this.#showTitles();
      this.note.hidden = true; // something was found
    } catch (error) {
      if (!signal.aborted) console.warn(error);
    }
  }

  /** Conversations that the page knows, by their titles: at once, while the gateway looks for others and for messages. */
  #showTitles() {
    const { index, side } = this.inbox ?? {};
    const words = fold(this.input.value).split(/\s+/).filter(Boolean);
    const of = (thread) => fold(`${side.title(thread)} ${thread.name ?? ''}`);
    const isFound = (thread) => words.every((word) => of(thread).includes(word));
    const found = words.length && index ? index.list().filter(isFound) : [];
    found.sort((a, b) => (activity(a) < activity(b) ? 1 : -1));
    place(this.titles, found.slice(0, MOST_TITLES).map((thread) => this.#titleRow(thread, side)));
    this.titles.hidden = found.length === 0;
    this.#refreshRoving();
  }

  #titleRow(thread, side) {
    const title = el('span', { class: 'thread-title', dir: 'auto' }, side.title(thread));
    const time = el('time', { datetime: activity(thread) }, shortTime(activity(thread)));
    const row = el('span', { class: 'thread-row' }, title, time);
    const more = el('span', { class: 'thread-sub', dir: 'auto' }, side.subtitle(thread));
    const click = () => this.openThread(side.key(thread));
    const attributes = { type: 'button', class: 'thread', data: { test: 'found-thread', id: thread.id }, on: { click } };
    return el('li', {}, el('button', attributes, el('span', { class: 'thread-text' }, row, more)));
  }

  #row(found) {
    const { message, snippet, threadId } = found;
    const thread = this.inbox.index.get(threadId) ?? this.inbox.index.get(this.inbox.index.keysOf(threadId)[0]);
    const time = el('time', { datetime: message.createdAt, title: fullTime(message.createdAt) }, shortTime(message.createdAt));
    const title = thread ? this.inbox.side.title(thread) : (message.author?.name ?? texts.common.conversation);
    const text = el(
      'span',
      { class: 'thread-preview', dir: 'auto', data: { test: 'snippet' } },
      marked(snippet ?? { text: message.text ?? '', ranges: [] }),
    );
    const row = el('span', { class: 'thread-row' }, el('span', { class: 'thread-title', dir: 'auto' }, title), time);
    const button = el(
      'button',
      { type: 'button', class: 'thread', data: { test: 'found', id: message.id }, on: { click: () => this.open(found) } },
      el('span', { class: 'thread-text' }, row, text),
    );
    set(button, 'data-thread', threadId);
    return el('li', {}, button);
  }
}

/** A text with ranges marked, as nodes: what was written stays text. Of ranges that overlap or lie outside what is left is
 *  marked.
 *  @param {{text: string, ranges: [number, number][]}} snippet  in UTF-16 units, as strings count
 *  @returns {(string|HTMLElement)[]} */
export function marked({ text, ranges }, make = (words) => el('mark', {}, words)) {
  const nodes = [];
  let at = 0;
  for (const [start, length] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const [from, to] = [Math.max(at, start), Math.min(text.length, start + length)];
    if (to <= from) continue;
    if (from > at) nodes.push(text.slice(at, from));
    nodes.push(make(text.slice(from, to)));
    at = to;
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}
