/** The list of webhooks: how each does, at a glance. */
import { el, place, set, setText } from './dom.js';
import { moment } from './format.js';
import { roving } from './roving.js';
import { texts } from './texts.js';
import { attemptResult, reasonText, urlStart, waitingEvents, webhookName } from './webhook-format.js';

export class WebhookListView {
  #watch;
  #open;
  #rows = new Map(); // id -> {element, update}
  #refreshRoving;

  /** @param {import('./webhook-watch.js').WebhookWatch} watch
   *  @param {{open: (id: string) => void, add: () => void}} actions */
  constructor(watch, { open, add }) {
    this.#watch = watch;
    this.#open = open;
    this.list = el('ul', { class: 'webhooks', 'aria-label': texts.webhooks.title });
    this.note = el('p', { class: 'empty', data: { test: 'webhooks-empty' } }, texts.common.loading);
    const attributes = { type: 'button', class: 'quiet', data: { test: 'add-webhook' }, on: { click: add } };
    this.add = el('button', attributes, texts.webhooks.add);
    this.element = el('div', {}, this.list, this.note, el('div', { class: 'webhook-actions' }, this.add));
    this.#refreshRoving = roving(this.list, '.webhook');
  }

  render() {
    const { items } = this.#watch;
    if (!items) return;
    const before = this.#rows;
    this.#rows = new Map(items.map(({ id }) => [id, before.get(id) ?? this.#row(id)]));
    for (const webhook of items) this.#rows.get(webhook.id).update(webhook, this.#watch.lastFailure(webhook.id));
    place(this.list, [...this.#rows.values()].map(({ element }) => element));
    this.note.hidden = items.length > 0;
    setText(this.note, texts.webhooks.none);
    this.#refreshRoving();
  }

  /** @param {string} [id]  the webhook that gets the keyboard; the first one, if that is gone */
  focus(id) {
    const row = this.#rows.get(id) ?? [...this.#rows.values()][0];
    (row?.element.querySelector('button') ?? this.add).focus();
  }

  #row(id) {
    const name = el('strong', { class: 'webhook-name' });
    const state = el('span', { class: 'tag', data: { test: 'webhook-state' } });
    const url = el('span', { class: 'webhook-url muted' });
    const facts = el('span', { class: 'webhook-facts', data: { test: 'webhook-facts' } });
    const button = el(
      'button',
      { type: 'button', class: 'webhook', data: { test: 'webhook', id }, on: { click: () => this.#open(id) } },
      el('span', { class: 'webhook-row' }, name, state),
      url,
      facts,
    );
    const update = (webhook, failure) => {
      setText(name, webhookName(webhook));
      setText(state, texts.webhooks.states[webhook.state] ?? webhook.state);
      set(state, 'data-state', webhook.state);
      setText(url, urlStart(webhook.url));
      setText(facts, webhookFacts(webhook, failure).join(' · '));
    };
    return { element: el('li', {}, button), update };
  }
}

/** How a webhook does, in short sentences. */
function webhookFacts({ state, reason, lag, nextAttemptAt }, failure) {
  return [
    waitingEvents(lag),
    failure && texts.webhook.lastErrorAt({ result: attemptResult(failure), when: moment(failure.at) }),
    state === 'failing' && nextAttemptAt && texts.webhook.nextAttemptAt({ when: moment(nextAttemptAt) }),
    state === 'disabled' && reason && reasonText(reason).replace(/\.$/, ''),
  ].filter(Boolean);
}
