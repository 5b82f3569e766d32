/**
 * The messages of a conversation, or the replies to one: grouped by author, days separated. Only the stretch around the reader
 * is in the DOM. Follows new messages while the reader is at the bottom; elsewhere it stays where it is, whatever is added,
 * changed or removed, and says that there is something new.
 */
import { el, icon, place, setText } from './dom.js';
import { dayKey, dayLabel, summary } from './format.js';
import { belongTogether, dayOf } from './grouping.js';
import { authorName, isGroup, mayWrite } from './membership.js';
import { roving } from './roving.js';
import { RowWindow } from './row-window.js';
import { texts } from './texts.js';

const NEAR = 60; // pixels that count as "at the bottom"
const AHEAD = 400; // pixels from an end at which more is brought
const HIGHLIGHT = 4000; // ms

export class TranscriptView {
  #views = new Map(); // message id -> MessageView
  #days = new Map(); // key -> element
  #window = new RowWindow();
  #refreshRoving;
  #conversation;
  #follows = true;
  #showsEnd = true; // whether the newest was in the DOM when it was last rendered
  #rendered; // what was loaded when it was last rendered, in the DOM or not
  #missed = 0;
  #wanted; // direction in which rows shall come into the DOM as soon as they are there
  #start; // where to begin once it is loaded
  #highlighted; // {id, timer}
  #edited; // id of the message that is being edited

  /** The module `list`.
   *  @param {{actions: object, bubble: (id: string, actions: object, options: object) => object, onBottom: () => void,
   *           onEmpty: () => void, use?: 'conversation'|'thread'}} options
   *  `bubble`: makes the view of one message, as the module `messageBubble` does;
   *  `onBottom`: the newest message came into sight; `onEmpty`: the message that had the keyboard is gone, and no other is there
   *  to take it */
  constructor({ actions, bubble, onBottom, onEmpty, use = 'conversation' }) {
    const words = use === 'thread' ? texts.replies : texts.messages;
    const hook = use === 'thread' ? 'panel-' : '';
    Object.assign(this, { actions, bubble, onBottom, onEmpty, use, words, hook });
    const button = (label, test, direction) =>
      el(
        'button',
        { type: 'button', class: 'quiet more', data: { test: hook + test }, on: { click: () => this.#more(direction) } },
        label,
      );
    this.older = button(words.older, 'load-older', 'previous');
    this.newer = button(words.newer, 'load-newer', 'next');
    this.list = el('ol', { class: 'messages', 'aria-label': words.label });
    this.empty = el('p', { class: 'empty', data: { test: `${hook}transcript-empty` } });
    this.scroller = el(
      'div',
      { class: 'transcript', data: { test: `${hook}transcript` } },
      this.older,
      this.empty,
      this.list,
      this.newer,
    );
    this.news = el(
      'button',
      { type: 'button', class: 'news', hidden: true, data: { test: use === 'thread' ? 'new-replies' : 'new-messages' }, on: { click: () => this.toBottom() } },
      icon('down'),
      el('span'),
    );
    // Spoken by screen readers; the list itself is no live region, or every older page would be read aloud.
    this.live = el('div', { class: 'visually-hidden', 'aria-live': 'polite', data: { test: `${hook}live` } });
    this.element = el('div', { class: 'transcript-frame' }, this.scroller, this.news, this.live);
    this.#refreshRoving = roving(this.list, '.message', { last: true });

    this.scroller.addEventListener('scroll', () => this.#scrolled());
    // The window, the keyboard of a phone or the composer changed the height: stay at the bottom if that is where we are.
    new ResizeObserver(() => this.#follows && this.#jump()).observe(this.scroller);
  }

  get isAtBottom() {
    return this.#follows;
  }

  /** @param {import('./conversation.js').Conversation} conversation @param {import('./message-source.js').Start} [start] */
  show(conversation, start) {
    this.#conversation = conversation;
    this.#views.clear();
    this.#days.clear();
    this.#window.clear();
    this.#wanted = undefined;
    this.#start = start && start.at !== 'newest' ? start : undefined;
    this.#follows = !this.#start;
    this.#highlight(undefined);
    this.#setMissed(0);
    setText(this.live, '');
    this.render();
  }

  render() {
    const { list } = this.#conversation;
    if (this.#start && list.loaded) return this.goTo(this.#start);
    const anchors = this.#follows ? [] : this.#anchors();
    const heirs = this.#heirs();
    const all = this.#all();
    this.#rendered = this.#conversation.list.items;
    this.#window.settle(all, { follows: this.#follows });
    if (this.#wanted && this.#window.grow(all, this.#wanted)) this.#wanted = undefined;
    place(this.list, this.#rows(all));
    this.#showsEnd = this.#window.to >= all.length && !list.hasNext;
    this.#showEnds(all);
    this.#handOver(heirs);
    this.#refreshRoving();
    if (this.#follows) return this.#jump();
    const anchor = anchors.find(({ element }) => element.isConnected);
    if (anchor) this.scroller.scrollTop += anchor.element.offsetTop - anchor.top;
    // Without anything to scroll no scroll event will tell.
    if (list.loaded && this.#showsEnd && this.scroller.scrollHeight <= this.scroller.clientHeight) this.#follow();
  }

  /** Somebody else has written. */
  arrived(message) {
    setText(this.live, texts.list.said({ who: authorName(message.author), what: summary(message) }));
    if (!this.#follows) this.#setMissed(this.#missed + 1);
  }

  async toBottom() {
    if (this.#conversation.list.hasNext) {
      const conversation = this.#conversation;
      await conversation.load().catch((error) => console.warn(error));
      if (conversation !== this.#conversation) return;
      this.#window.clear();
    }
    this.#wanted = undefined;
    this.#follow();
    this.render();
  }

  /** Brings a message that is loaded into the middle, and marks it for a while; or the first one to the top.
   *  @param {import('./message-source.js').Start} start @returns {boolean}  whether it is there */
  goTo({ at, id }) {
    this.#start = undefined;
    const all = this.#all();
    let index = at === 'first' ? 0 : all.findIndex((message) => message.id === id);
    if (index < 0 && id === undefined) index = all.findIndex((message) => Date.parse(message.createdAt) >= at);
    const target = all[index];
    this.#follows = !target;
    if (!target) return this.render(), false;
    this.#window.around(all, index);
    if (at !== 'first') this.#highlight(target.id);
    this.render();
    const { element } = this.#views.get(target.id);
    const { clientHeight } = this.scroller;
    this.scroller.scrollTop = at === 'first' ? 0 : element.offsetTop - (clientHeight - element.offsetHeight) / 2;
    return true;
  }

  /** Shows which message is being edited, if any. */
  markEdited(id) {
    if (id === this.#edited) return;
    this.#edited = id;
    this.render();
  }

  /** Puts the keyboard on a message; without it on the one where Tab enters. */
  focus(id) {
    const view = this.#views.get(id ?? this.#highlighted?.id);
    (view?.element ?? this.list.querySelector('[tabindex="0"]'))?.focus({ preventScroll: true });
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const below = scrollHeight - scrollTop - clientHeight;
    const wasFollowing = this.#follows;
    this.#follows = below < NEAR && this.#showsEnd;
    if (this.#follows && !wasFollowing) this.#follow();
    if (this.#follows) return;
    if (scrollTop < AHEAD) this.#more('previous');
    else if (below < AHEAD) this.#more('next');
  }

  /** Brings more rows into the DOM: those that are loaded at once, others when they have come. */
  async #more(direction) {
    const conversation = this.#conversation;
    const { list } = conversation ?? {};
    if (!list?.loaded) return;
    this.#wanted = direction;
    const { length } = this.#all();
    const isThere = direction === 'previous' ? this.#window.from > 0 : this.#window.to < length;
    // A page may have come since the last render, which is due at the next frame: the window does not know of its rows.
    if (isThere || list.items !== this.#rendered) this.render();
    if (isThere || !this.#wanted) return;
    if (!(direction === 'previous' ? list.hasPrevious : list.hasNext)) return void (this.#wanted = undefined);
    try {
      await conversation.fetch(direction);
    } catch (error) {
      this.#wanted = undefined;
      console.warn(error);
    }
  }

  #follow() {
    this.#follows = true;
    this.#setMissed(0);
    this.#jump();
    this.onBottom();
  }

  #jump() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  #setMissed(count) {
    this.#missed = count;
    this.news.hidden = count === 0;
    setText(this.news.lastChild, this.words.news({ count }));
  }

  #highlight(id) {
    clearTimeout(this.#highlighted?.timer);
    const end = () => {
      this.#highlighted = undefined;
      this.render();
    };
    this.#highlighted = id && { id, timer: setTimeout(end, HIGHLIGHT) };
  }

  #showEnds(all) {
    const { list } = this.#conversation;
    const { from, to } = this.#window;
    const ends = [
      [this.older, 'previous', from > 0 || list.hasPrevious, this.words.older],
      [this.newer, 'next', all.length > 0 && (to < all.length || list.hasNext), this.words.newer],
    ];
    for (const [button, direction, isMore, label] of ends) {
      const isLoading = list.isFetching(direction);
      button.hidden = !isMore;
      button.disabled = isLoading;
      setText(button, isLoading ? texts.common.loading : label);
    }
    this.empty.hidden = all.length > 0;
    setText(this.empty, list.loaded ? this.words.empty : texts.common.loading);
  }

  /** The messages in sight and where they stand: the first that is still there afterwards must not move. Not the days: the
   *  line above a day goes up with the first older message of that day. */
  #anchors() {
    const { scrollTop, clientHeight } = this.scroller;
    return [...this.#views.values()]
      .map(({ element }) => ({ element, top: element.offsetTop, bottom: element.offsetTop + element.offsetHeight }))
      .filter(({ top, bottom }) => bottom > scrollTop && top < scrollTop + clientHeight);
  }

  /** The message that has the keyboard, and who takes it when that goes: the next ones, then the ones before. */
  #heirs() {
    const all = [...this.#views.values()].map(({ element }) => element);
    const at = all.indexOf(document.activeElement?.closest('.message'));
    return at < 0 ? [] : [...all.slice(at), ...all.slice(0, at).reverse()];
  }

  #handOver([holder, ...heirs]) {
    if (!holder || holder.isConnected) return;
    const heir = heirs.find((element) => element.isConnected);
    if (heir) heir.focus({ preventScroll: true });
    else this.onEmpty();
  }

  /** Everything that is loaded; what is not yet confirmed stands behind all that is, and there only. */
  #all() {
    const { list, outbox, side, shown } = this.#conversation;
    if (list.hasNext) return shown;
    const waiting = outbox.items
      .filter((item) => !list.has(item.id))
      .map((item) => ({ ...item, direction: side.own, author: side.author(), isWaiting: true }));
    const unsent = [...list.pending, ...list.failed, ...waiting];
    return unsent.length ? [...shown, ...unsent] : shown;
  }

  #rows(all) {
    const { from, to } = this.#window;
    const conversation = this.#conversation;
    const { thread, side } = conversation;
    const mayChange = mayWrite(thread);
    const mayReply = mayChange && this.use === 'conversation' && Boolean(thread && side.mayReply(thread));
    const views = new Map();
    const days = new Map();
    const rows = [];
    for (let index = from; index < to; index++) {
      const message = all[index];
      const [previous, next] = [all[index - 1], all[index + 1]];
      if (!previous || dayOf(previous) !== dayOf(message)) rows.push(this.#day(message.createdAt, days));
      const view = this.#views.get(message.id) ?? this.#make(message);
      views.set(message.id, view);
      const isUnsent = message.isWaiting || message.status === 'pending' || message.status === 'failed';
      const isReply = this.use === 'conversation' && Boolean(message.parentId);
      const quote = isReply ? conversation.quoted(message.parentId) : undefined;
      view.update(message, {
        isOwn: Boolean(message.isWaiting) || side.isOwn(message),
        isMe: Boolean(message.isWaiting) || side.isMe(message.author),
        isGroup: isGroup(thread),
        first: !belongTogether(previous, message),
        last: !belongTogether(message, next),
        mayEdit: !isUnsent && message.type === 'text' && mayChange && side.mayEdit(message),
        mayRemove: message.type === 'note' || (!isUnsent && mayChange && side.mayRemove(message)),
        mayAnswer: mayChange && !side.isOwn(message),
        mayReply: mayReply && !isUnsent && !message.parentId && !['admin', 'note'].includes(message.type),
        isEditing: message.id === this.#edited,
        isHighlighted: message.id === this.#highlighted?.id,
        isReply,
        quote,
        quoteAuthor: quote?.author && (side.isMe(quote.author) ? texts.common.you : authorName(quote.author)),
        showsReplies: this.use === 'conversation',
      });
      rows.push(view.element);
    }
    this.#views = views;
    this.#days = days;
    return rows;
  }

  #make({ id, type }) {
    const { side, thread } = this.#conversation;
    const url = (attachment) => side.attachmentURL(thread, attachment);
    return this.bubble(id, this.actions, { url, test: type === 'note' ? 'note' : `${this.hook}message` });
  }

  #day(time, days) {
    // Usually one for a day; two when the clock went back, as the order is the server's.
    const key = `${dayKey(time)} ${[...days.keys()].filter((one) => one.startsWith(dayKey(time))).length}`;
    const row = this.#days.get(key) ?? el('li', { class: 'day', data: { test: `${this.hook}day` } }, el('span'));
    setText(row.firstChild, dayLabel(time));
    days.set(key, row);
    return row;
  }
}
