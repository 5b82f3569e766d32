/** Above the field of a live chat: one's place in the queue, and the question whether one is still there. */
import { el, setText } from './dom.js';
import { QueueEstimate } from '../assets/queue-estimate.js';
import { button } from './icons.js';
import { t } from './texts.js';

const REFRESH = 20_000; // ms

export class LiveBar {
  #estimate = new QueueEstimate();
  #timer;
  #popup;
  #say;

  /** @param {{answer: (answer: 'refresh'|'expire') => void, say: (text: string) => void}} parts */
  constructor({ answer, say }) {
    this.#say = say;
    this.queue = el('p', { class: 'queue', hidden: true, data: { test: 'queue' } });
    this.count = el('bdi', { class: 'countdown' });
    this.question = el(
      'div',
      { class: 'question', role: 'group', 'aria-labelledby': 'inactivity', hidden: true, data: { test: 'inactivity' } },
      el('p', { id: 'inactivity' }, t('inactivity.question'), ' ', this.count),
      el(
        'div',
        { class: 'buttons' },
        button('inactivity-no', t('inactivity.no'), () => answer('expire')),
        button('inactivity-yes', t('inactivity.yes'), () => answer('refresh'), 'primary'),
      ),
    );
    this.element = el('div', { class: 'live-bar' }, this.queue, this.question);
  }

  /** @param {object|undefined} thread */
  update(thread) {
    const isOpen = thread !== undefined && thread.state !== 'closed';
    this.#showPlace(isOpen ? thread : undefined);
    this.#showQuestion(isOpen ? thread.inactivityPopup : undefined);
  }

  #showPlace(thread) {
    const count = thread?.queuePosition;
    clearTimeout(this.#timer);
    this.queue.hidden = count === undefined;
    if (count === undefined) return;
    this.#timer = setTimeout(() => this.#showPlace(thread), REFRESH); // time passes, though nothing happens
    const left = this.#estimate.update(thread.id, count, Date.now());
    const words = [count === 1 ? t('queue.next') : t('queue.place', { count })];
    if (left !== undefined) words.push(t('queue.estimate', { count: Math.max(1, Math.ceil(left / 60_000)) }));
    const text = words.join(' ');
    if (this.queue.textContent !== text) this.#say(text);
    setText(this.queue, text);
  }

  #showQuestion(popup) {
    if (popup && !this.#popup) this.#say(t('inactivity.question'));
    this.question.hidden = !popup;
    clearInterval(this.ticker);
    this.#popup = popup;
    if (!popup) return;
    this.#tick();
    this.ticker = setInterval(() => this.#tick(), 1000);
  }

  #tick() {
    const { startedAt, numberOfSeconds } = this.#popup;
    const left = Math.ceil(numberOfSeconds - (Date.now() - Date.parse(startedAt)) / 1000);
    const shown = Math.min(numberOfSeconds, Math.max(0, left));
    setText(this.count, `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, '0')}`);
  }
}
