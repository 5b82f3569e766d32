/**
 * The messages of the open conversation: grouped by author, days separated. Follows new messages while the reader is at the
 * bottom; elsewhere it stays where it is, whatever is added, changed or removed, and says that there is something new.
 */
import { el, icon, place, setText } from './dom.js';
import { dayKey, dayLabel } from './format.js';
import { MessageView } from './message-view.js';
import { roving } from './roving.js';

const GROUP_GAP = 5 * 60_000;
const NEAR = 60; // pixels that count as "at the bottom" or "at the top"

export class TranscriptView {
  #views = new Map(); // message id -> MessageView
  #days = new Map(); // key -> element
  #refreshRoving;
  #conversation;
  #follows = true;
  #missed = 0;
  #edited; // id of the message that is being edited

  /** @param {{actions: object, onBottom: () => void, onEmpty: () => void}} options  `onBottom`: the newest message came into
   *  sight; `onEmpty`: the message that had the keyboard is gone, and no other is there to take it */
  constructor({ actions, onBottom, onEmpty }) {
    Object.assign(this, { actions, onBottom, onEmpty });
    const older = () => this.#conversation?.loadOlder().catch((error) => console.warn(error));
    this.older = el(
      'button',
      { type: 'button', class: 'quiet more', data: { test: 'load-older' }, on: { click: older } },
      'Load older messages',
    );
    this.list = el('ol', { class: 'messages', 'aria-label': 'Messages' });
    this.empty = el('p', { class: 'empty', data: { test: 'transcript-empty' } });
    this.scroller = el('div', { class: 'transcript', data: { test: 'transcript' } }, this.older, this.empty, this.list);
    this.news = el(
      'button',
      { type: 'button', class: 'news', hidden: true, data: { test: 'new-messages' }, on: { click: () => this.toBottom() } },
      icon('down'),
      el('span'),
    );
    // Spoken by screen readers; the list itself is no live region, or every older page would be read aloud.
    this.live = el('div', { class: 'visually-hidden', 'aria-live': 'polite', data: { test: 'live' } });
    this.element = el('div', { class: 'transcript-frame' }, this.scroller, this.news, this.live);
    this.#refreshRoving = roving(this.list, '.message', { last: true });

    this.scroller.addEventListener('scroll', () => this.#scrolled(older));
    // The window, the keyboard of a phone or the composer changed the height: stay at the bottom if that is where we are.
    new ResizeObserver(() => this.#follows && this.#jump()).observe(this.scroller);
  }

  get isAtBottom() {
    return this.#follows;
  }

  /** @param {import('./conversation.js').Conversation} conversation */
  show(conversation) {
    this.#conversation = conversation;
    this.#views.clear();
    this.#days.clear();
    this.#follows = true;
    this.#setMissed(0);
    setText(this.live, '');
    this.render();
  }

  render() {
    const anchors = this.#follows ? [] : this.#anchors();
    const heirs = this.#heirs();
    const rows = this.#rows();
    place(this.list, rows);
    const { list, isLoadingOlder } = this.#conversation;
    this.older.hidden = !list.older;
    this.older.disabled = isLoadingOlder;
    setText(this.older, isLoadingOlder ? 'Loading…' : 'Load older messages');
    this.empty.hidden = rows.length > 0;
    setText(this.empty, list.loaded ? 'No messages yet. Say hello!' : 'Loading…');
    this.#handOver(heirs);
    this.#refreshRoving();
    if (this.#follows) return this.#jump();
    const anchor = anchors.find(({ element }) => element.isConnected);
    if (anchor) this.scroller.scrollTop += anchor.element.offsetTop - anchor.top;
  }

  /** The other side has written. */
  arrived(message) {
    setText(this.live, `${message.author.name ?? 'Message'}: ${message.text ?? 'Attachment'}`);
    if (!this.#follows) this.#setMissed(this.#missed + 1);
  }

  toBottom() {
    this.#follows = true;
    this.#jump();
    this.#setMissed(0);
    this.onBottom();
  }

  /** Shows which message is being edited, if any. */
  markEdited(id) {
    if (id === this.#edited) return;
    this.#edited = id;
    this.render();
  }

  /** Puts the keyboard on a message; without it on the one where Tab enters. */
  focus(id) {
    (this.#views.get(id)?.element ?? this.list.querySelector('[tabindex="0"]'))?.focus();
  }

  #scrolled(older) {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const wasFollowing = this.#follows;
    this.#follows = scrollHeight - scrollTop - clientHeight < NEAR;
    if (this.#follows && !wasFollowing) this.toBottom();
    if (scrollTop < NEAR && !this.#follows) older();
  }

  #jump() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  #setMissed(count) {
    this.#missed = count;
    this.news.hidden = count === 0;
    setText(this.news.lastChild, count === 1 ? '1 new message' : `${count} new messages`);
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
    if (heir) heir.focus();
    else this.onEmpty();
  }

  #rows() {
    const { list, outbox, side } = this.#conversation;
    const waiting = outbox.items
      .filter((item) => !list.has(item.id))
      .map((item) => ({ ...item, direction: side.own, author: { id: 'own' }, isWaiting: true }));
    const all = [...list.items, ...waiting];
    const views = new Map();
    const days = new Map();
    const rows = [];
    all.forEach((message, index) => {
      const [previous, next] = [all[index - 1], all[index + 1]];
      if (!previous || dayOf(previous) !== dayOf(message)) rows.push(this.#day(message.createdAt, days));
      const view = this.#views.get(message.id) ?? new MessageView(message.id, this.actions);
      views.set(message.id, view);
      view.update(message, {
        isOwn: message.direction === side.own,
        isMe: message.isWaiting || side.isMe(message.author),
        first: !belongTogether(previous, message),
        last: !belongTogether(message, next),
        mayEdit: !message.isWaiting && message.type === 'text' && this.#mayChange() && side.mayEdit(message),
        isEditing: message.id === this.#edited,
        mayRemove: !message.isWaiting && this.#mayChange() && side.mayRemove(message),
      });
      rows.push(view.element);
    });
    this.#views = views;
    this.#days = days;
    return rows;
  }

  #mayChange() {
    return this.#conversation.thread?.state !== 'closed';
  }

  #day(time, days) {
    // Usually one for a day; two when the clock went back, as the order is the server's.
    const key = `${dayKey(time)} ${[...days.keys()].filter((one) => one.startsWith(dayKey(time))).length}`;
    const row = this.#days.get(key) ?? el('li', { class: 'day', data: { test: 'day' } }, el('span'));
    setText(row.firstChild, dayLabel(time));
    days.set(key, row);
    return row;
  }
}

const daysKnown = new WeakMap(); // a day is dear to find, and asked for at every render

function dayOf(message) {
  if (!daysKnown.has(message)) daysKnown.set(message, dayKey(message.createdAt));
  return daysKnown.get(message);
}

/** Whether two neighbours form one group: an author's messages of a few minutes. */
function belongTogether(a, b) {
  if (!a || !b || a.direction !== b.direction) return false;
  const sameAuthor = a.author.id === b.author.id || a.isWaiting || b.isWaiting;
  const gap = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  return sameAuthor && gap < GROUP_GAP && dayOf(a) === dayOf(b);
}
