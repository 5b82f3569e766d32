/** One event on its way to a webhook: its state, and each attempt. */
import { el, iconButton, set, setText } from './dom.js';
import { fullTime, moment } from './format.js';
import { texts } from './texts.js';
import { attemptLine, attemptResult, reasonText } from './webhook-format.js';

const SENDABLE = new Set(['pending', 'delivered', 'dead']); // of the others the gateway has nothing to send

export class DeliveryView {
  #shown; // what the attempts' list says, as JSON

  /** @param {string} id @param {(id: string) => void} redeliver */
  constructor(id, redeliver) {
    this.type = el('span', { class: 'delivery-type' });
    this.state = el('span', { class: 'tag', data: { test: 'delivery-state' } });
    this.time = el('time', { class: 'muted' });
    this.again = iconButton('retry', texts.deliveries.again, { data: { test: 'redeliver' }, on: { click: () => redeliver(id) } });
    this.facts = el('p', { class: 'delivery-facts muted', data: { test: 'delivery-facts' } });
    this.summary = el('summary', { data: { test: 'delivery-attempts' } });
    this.attempts = el('ol', { class: 'attempts', data: { test: 'attempts' } });
    this.details = el('details', {}, this.summary, this.attempts);
    this.element = el(
      'li',
      { class: 'delivery', data: { test: 'delivery', id } },
      el(
        'div',
        { class: 'delivery-row' },
        el('div', { class: 'delivery-title' }, this.type, this.state, this.time),
        this.again,
      ),
      this.facts,
      this.details,
    );
  }

  /** @param {import('../parley.js').Delivery} delivery */
  update({ type, event, state, reason, attempts, createdAt, nextAttemptAt }) {
    setText(this.type, type);
    setText(this.state, texts.deliveries.states[state] ?? state);
    set(this.state, 'data-state', state);
    setText(this.time, moment(createdAt));
    set(this.time, 'datetime', createdAt);
    set(this.time, 'title', fullTime(createdAt));
    set(this.again, 'aria-label', texts.deliveries.againOne({ type, event }));
    this.again.hidden = !SENDABLE.has(state);
    const last = attempts.at(-1);
    const facts = [
      state === 'delivered' ? undefined : last && texts.deliveries.last({ result: attemptResult(last) }),
      state === 'pending' && nextAttemptAt && texts.webhook.nextAttemptAt({ when: moment(nextAttemptAt) }),
      state !== 'pending' && reason && reasonText(reason),
    ].filter(Boolean);
    setText(this.facts, facts.join(' · '));
    this.facts.hidden = facts.length === 0;
    this.details.hidden = attempts.length === 0;
    setText(this.summary, texts.deliveries.attempts({ count: attempts.length }));
    const shown = JSON.stringify(attempts);
    if (shown !== this.#shown) this.attempts.replaceChildren(...attempts.map(attempt));
    this.#shown = shown;
  }
}

function attempt(one) {
  return el('li', {}, attemptLine(one), one.head && el('pre', {}, one.head));
}
