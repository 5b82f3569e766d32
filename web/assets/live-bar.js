/** Below a live chat's transcript: one's place in the queue, the question whether one is still there, and the chat's end. */
import { el, setText } from './dom.js';
import { QueueEstimate } from './queue-estimate.js';
import { texts } from './texts.js';

const REFRESH = 20_000; // ms

export class LiveBar {
  #popup; // what is asked now
  #timer;
  #estimate = new QueueEstimate();
  #soon;

  /** @param {{answer: (answer: 'refresh'|'expire') => Promise<void>, restart: () => Promise<void>}} actions */
  constructor({ answer, restart }) {
    const button = (style, test, click, label = '') =>
      el('button', { type: 'button', class: style, dir: 'auto', data: { test }, on: { click } }, label);
    this.queue = el('p', { class: 'queue', role: 'status', hidden: true, data: { test: 'queue' } });
    this.title = el('strong', { id: 'inactivity-title', dir: 'auto' });
    this.message = el('p', { dir: 'auto' });
    this.count = el('p', { class: 'countdown', role: 'timer', data: { test: 'countdown' } });
    this.refresh = button('primary', 'inactivity-refresh', () => answer('refresh'));
    this.expire = button('quiet', 'inactivity-expire', () => answer('expire'));
    this.popup = el(
      'div',
      { class: 'invitation', role: 'alertdialog', 'aria-labelledby': this.title.id, hidden: true, data: { test: 'inactivity' } },
      el('div', { class: 'inactivity-text' }, this.title, this.message, this.count),
      this.refresh,
      this.expire,
    );
    this.ended = el(
      'div',
      { class: 'ended', hidden: true, data: { test: 'chat-ended' } },
      button('primary', 'restart', () => restart(), texts.live.restart),
    );
    this.element = el('div', { class: 'live-bar' }, this.queue, this.popup, this.ended);
  }

  /** @param {import('../parley.js').ChatThread|undefined} thread @param {{mayRestart: boolean}} how */
  update(thread, { mayRestart }) {
    const isOpen = thread !== undefined && thread.state !== 'closed';
    this.#showPlace(isOpen ? thread : undefined);
    this.ended.hidden = isOpen || !mayRestart;
    this.#show(isOpen ? thread.inactivityPopup : undefined);
  }

  #showPlace(thread) {
    const place = thread?.queuePosition;
    this.queue.hidden = place === undefined;
    clearTimeout(this.#soon);
    if (place === undefined) return setText(this.queue, '');
    this.#soon = setTimeout(() => this.#showPlace(thread), REFRESH); // time passes, though nothing happens
    const left = this.#estimate.update(thread.id, place, Date.now());
    const words = [place === 1 ? texts.live.next : texts.live.place({ position: place })];
    if (left !== undefined) words.push(texts.live.estimate({ count: Math.max(1, Math.ceil(left / 60_000)) }));
    setText(this.queue, words.join(' '));
  }

  #show(popup) {
    this.popup.hidden = !popup;
    if (!popup) {
      clearInterval(this.#timer);
      this.#timer = this.#popup = undefined;
      return;
    }
    this.#popup = popup;
    setText(this.title, popup.title);
    setText(this.message, popup.message);
    setText(this.refresh, popup.refreshButton.text);
    setText(this.expire, popup.expireButton.text);
    this.#tick();
    this.#timer ??= setInterval(() => this.#tick(), 1000);
  }

  #tick() {
    setText(this.count, remaining(this.#popup, Date.now()));
  }
}

/** How much of a countdown is left, as "1:05". @param {{startedAt: string, numberOfSeconds: number}} popup @param {number} now */
export function remaining({ startedAt, numberOfSeconds }, now) {
  const left = Math.min(numberOfSeconds, Math.max(0, Math.ceil(numberOfSeconds - (now - Date.parse(startedAt)) / 1000)));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
}
