/** A conversation's messages on the screen. It stays at its end while somebody is there; else a button tells what is new. */
import { el, place, setText, show } from './dom.js';
import { button, icon } from './icons.js';
import { MessageView } from './message-view.js';
import { rows } from './rows.js';
import { lang, t } from './texts.js';
import { dayLabel, joined } from './times.js';

const NEAR = 60; // pixels from the end that count as the end

export class TranscriptView {
  #views = new Map(); // key of a row -> MessageView or element
  #follows = true;
  #seen; // the last message of others when the end was last on show
  #others = [];
  #place = {}; // where it stood when it last scrolled
  #parts;

  /** @param {{older: () => void, atEnd: () => void, name: (author: object) => string, [part: string]: Function}} parts  also those
   *  of a message; `atEnd`: the end has come into view */
  constructor(parts) {
    this.#parts = parts;
    this.greeting = el('div', { class: 'greeting', dir: 'auto' });
    this.older = button('older', t('messages.older'), () => parts.older(), 'quiet older');
    this.list = el('ol', { class: 'messages' });
    this.typing = el('p', { class: 'typing', hidden: true, data: { test: 'typing' } });
    this.content = el('div', { class: 'transcript-content' }, this.greeting, this.older, this.list, this.typing);
    const attributes = { class: 'transcript', tabindex: '0', role: 'region', 'aria-label': t('messages.label'), data: { test: 'transcript' } };
    this.scroller = el('div', { ...attributes, on: { scroll: () => this.#scrolled() } }, this.content);
    this.news = button('news', icon('down'), () => this.follow(), 'news-button');
    this.news.append(el('span'));
    this.element = el('div', { class: 'transcript-box' }, this.scroller, this.news);
    const observer = new ResizeObserver(() => this.#follows && this.#jump());
    observer.observe(this.content);
    observer.observe(this.scroller);
  }

  /** Begins with another conversation. */
  clear() {
    this.#views.clear();
    this.list.replaceChildren();
    this.#follows = true;
    this.#others = [];
  }

  get isAtEnd() {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR;
  }

  /** @param {{messages: object[], hasOlder: boolean, isLoading: boolean, unreadFrom?: string, typists: string[], mayAnswer: boolean,
   *           isOwn: (message: object) => boolean}} shown */
  render({ messages, hasOlder, isLoading, unreadFrom, typists, mayAnswer, isOwn }) {
    const { scroller } = this;
    const first = this.list.querySelector('.message');
    const top = first?.offsetTop;
    this.older.hidden = !hasOlder;
    this.older.disabled = isLoading;
    const views = new Map();
    const elements = rows(messages, { unreadFrom }).map((row) => {
      const view = this.#views.get(row.key) ?? this.#make(row);
      views.set(row.key, view);
      return this.#update(view, row, { mayAnswer, isOwn });
    });
    this.#views = views;
    place(this.list, elements);
    this.#showTypists(typists);
    this.#others = messages.filter((message) => !isOwn(message) && message.kind !== 'line').map(({ id }) => id);
    if (this.#follows) this.#jump();
    else if (first?.isConnected && first.offsetTop !== top) scroller.scrollTop += first.offsetTop - top;
    this.#showNews();
  }

  /** To the end, and there on. */
  follow() {
    this.#follows = true;
    this.#jump();
    this.#showNews();
    this.#parts.atEnd();
  }

  #make({ kind, message }) {
    if (kind === 'day') return el('li', { class: 'day' }, el('span', {}, el('bdi')));
    if (kind === 'news') return el('li', { class: 'day news', data: { test: 'news-line' } }, el('span'));
    if (message.kind === 'line') return el('li', { class: 'line', dir: 'auto', data: { test: 'line' } }, message.text);
    return new MessageView(message.id, this.#parts);
  }

  #update(view, { kind, time, count, message, first, last, choice }, { mayAnswer, isOwn }) {
    if (kind === 'day') {
      const words = { today: t('messages.today'), yesterday: t('messages.yesterday') };
      setText(view.querySelector('bdi'), t('messages.day', { date: dayLabel(time, lang(), words) }));
    } else if (kind === 'news') {
      setText(view.firstChild, t('messages.news', { count }));
    } else if (view instanceof MessageView) {
      const own = isOwn(message);
      view.update(message, { isOwn: own, first, last, choice, mayAnswer: mayAnswer && !own });
      return view.element;
    }
    return view;
  }

  #showTypists(names) {
    show(this.typing, names.length > 0 && t('messages.typing', { count: names.length, names: joined(names, lang()) }));
  }

  /** Only who scrolls up leaves the end: also what grows or shrinks moves it. */
  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const { top, height, client } = this.#place;
    this.#place = { top: scrollTop, height: scrollHeight, client: clientHeight };
    const was = this.#follows;
    if (this.isAtEnd) this.#follows = true;
    else if (scrollTop < top && scrollHeight === height && clientHeight === client) this.#follows = false;
    if (was || !this.#follows) return;
    this.#showNews();
    this.#parts.atEnd();
  }

  #showNews() {
    if (this.#follows) this.#seen = this.#others.at(-1);
    const count = this.#others.length - 1 - this.#others.indexOf(this.#seen);
    this.news.hidden = count === 0;
    setText(this.news.lastChild, t('messages.news', { count }));
  }

  #jump() {
    const { scroller } = this;
    scroller.scrollTop = scroller.scrollHeight;
    this.#place = { top: scroller.scrollTop, height: scroller.scrollHeight, client: scroller.clientHeight };
  }
}
