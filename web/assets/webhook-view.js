/** One webhook: its settings, how it does, what can be done with it, and its deliveries. */
import { DeliveryView } from './delivery-view.js';
import { el, place, set, setText } from './dom.js';
import { measured, moment } from './format.js';
import { texts } from './texts.js';
import {
  attemptLine,
  chosenEvents,
  isTaken,
  reasonText,
  timedResult,
  waitingEvents,
  webhookName,
} from './webhook-format.js';
import { changeWebhook, mayRemoveWebhook, mayRotateSecret, replayWebhook, showSecret } from './webhook-forms.js';

const PAGE = 25;
const MOST = 200; // that one request answers

export class WebhookView {
  #parley;
  #watch;
  #actions;
  #id;
  #wanted; // how many deliveries to show
  #request = 0; // the newest one for deliveries: answers to older ones come too late
  #rows = new Map(); // id -> DeliveryView

  /** @param {import('../parley.js').Parley} parley @param {import('./webhook-watch.js').WebhookWatch} watch
   *  @param {{run: (action: () => Promise<void>) => void, removed: (id: string) => void}} actions
   *  `run`: does what the user asked for, and shows what goes wrong */
  constructor(parley, watch, actions) {
    this.#parley = parley;
    this.#watch = watch;
    this.#actions = actions;
    const button = (label, test, act, style = 'quiet') =>
      el('button', { type: 'button', class: style, data: { test }, on: { click: () => actions.run(act) } }, label);
    this.state = el('span', { class: 'tag', data: { test: 'webhook-state' } });
    this.facts = el('dl', { class: 'facts', data: { test: 'webhook-about' } });
    this.said = el('p', { class: 'webhook-said', role: 'status', data: { test: 'webhook-said' } });
    this.pause = button(texts.webhooks.pause, 'webhook-pause', () => this.#pause());
    this.resume = button(texts.webhooks.resume, 'webhook-resume', () => this.#resume());
    this.redeliverDead = button(texts.deliveries.againAll, 'redeliver-dead', () => this.#redeliverDead());
    this.filter = el(
      'select',
      {
        'aria-label': texts.deliveries.which,
        data: { test: 'delivery-filter' },
        on: { change: () => actions.run(() => this.#show(PAGE)) },
      },
      el('option', { value: '' }, texts.deliveries.all),
      Object.entries(texts.deliveries.states).map(([value, label]) => el('option', { value }, label)),
    );
    this.list = el('ul', { class: 'deliveries', 'aria-label': texts.deliveries.title });
    this.note = el('p', { class: 'empty', data: { test: 'deliveries-empty' } });
    this.more = button(texts.common.showMore, 'more-deliveries', () => this.#show(this.#wanted + PAGE), 'quiet more');
    this.element = el(
      'div',
      {},
      this.facts,
      el(
        'div',
        { class: 'webhook-actions' },
        button(texts.webhooks.change, 'webhook-change', () => this.#change()),
        button(texts.webhooks.test, 'webhook-test', () => this.#test()),
        this.pause,
        this.resume,
        button(texts.webhooks.replay, 'webhook-replay', () => this.#replay()),
        button(texts.webhooks.newSecret, 'webhook-rotate', () => this.#rotate()),
        button(texts.common.remove, 'webhook-remove', () => this.#remove(), 'quiet danger-text'),
      ),
      this.said,
      el(
        'div',
        { class: 'deliveries-header' },
        el('h3', {}, texts.deliveries.title),
        el('span', { class: 'spacer' }),
        this.redeliverDead,
        this.filter,
      ),
      this.list,
      this.note,
      this.more,
    );
  }

  /** Shows another webhook. @param {string} id @returns {Promise<void>} */
  show(id) {
    this.#id = id;
    this.#rows.clear();
    place(this.list, []);
    this.filter.value = '';
    this.more.hidden = true;
    setText(this.note, texts.common.loading);
    this.note.hidden = false;
    setText(this.said, '');
    this.render();
    return this.#show(PAGE);
  }

  /** Shows what is known of it now. */
  render() {
    const webhook = this.#watch.get(this.#id);
    if (!webhook) return;
    setText(this.state, texts.webhooks.states[webhook.state] ?? webhook.state);
    set(this.state, 'data-state', webhook.state);
    const pairs = about(webhook, this.#watch.lastFailure(webhook.id));
    if (JSON.stringify(pairs) !== this.facts.dataset.shown) {
      const [[, url], ...others] = pairs;
      const state = [el('dt', {}, texts.webhook.state), el('dd', {}, this.state)];
      this.facts.replaceChildren(...fact([texts.webhooks.url, url]), ...state, ...others.flatMap(fact));
    }
    this.facts.dataset.shown = JSON.stringify(pairs);
    const before = document.activeElement;
    this.pause.hidden = webhook.state === 'paused' || webhook.state === 'disabled';
    this.resume.hidden = webhook.state === 'active';
    // Keeps the focus if its button is the one that disappears.
    if (before === this.pause && this.pause.hidden) this.resume.focus();
    if (before === this.resume && this.resume.hidden) this.pause.focus();
  }

  /** Loads the deliveries that are on show anew. @returns {Promise<void>} */
  async reload() {
    const request = ++this.#request;
    const id = this.#id;
    const state = this.filter.value || undefined;
    const items = [];
    let cursor;
    do {
      const limit = Math.min(MOST, this.#wanted - items.length);
      const page = await this.#parley.webhook(id).deliveries({ state, limit, cursor });
      items.push(...page.items);
      cursor = page.next;
    } while (cursor && items.length < this.#wanted);
    if (request !== this.#request) return;
    const before = this.#rows;
    const again = (delivery) => this.#actions.run(() => this.#redeliver(delivery));
    this.#rows = new Map(items.map((one) => [one.id, before.get(one.id) ?? new DeliveryView(one.id, again)]));
    for (const one of items) this.#rows.get(one.id).update(one);
    place(this.list, [...this.#rows.values()].map(({ element }) => element));
    this.note.hidden = items.length > 0;
    setText(this.note, state ? texts.deliveries.none : texts.deliveries.noneYet);
    this.more.hidden = !cursor;
  }

  #show(count) {
    this.#wanted = count;
    return this.reload();
  }

  get #webhook() {
    return this.#parley.webhook(this.#id);
  }

  async #test() {
    setText(this.said, texts.webhooks.testing);
    const { attempts } = await this.#webhook.test().catch((error) => {
      setText(this.said, '');
      throw error;
    });
    const last = attempts.at(-1);
    const said = last && isTaken(last) ? texts.webhooks.testTaken : texts.webhooks.testRefused;
    setText(this.said, said({ result: last ? timedResult(last) : texts.webhooks.testUnsent }));
  }

  async #change() {
    if (!(await changeWebhook(this.#webhook))) return;
    setText(this.said, texts.webhooks.saved);
    await this.#watch.reload();
  }

  async #replay() {
    const webhook = await replayWebhook(this.#webhook);
    if (!webhook) return;
    setText(this.said, webhook.lag === 0 ? texts.webhooks.nothingToReplay : texts.webhooks.replaying);
    await this.#watch.reload();
  }

  async #pause() {
    await this.#webhook.pause();
    await this.#watch.reload();
  }

  async #resume() {
    await this.#webhook.resume();
    await this.#watch.reload();
  }

  async #rotate() {
    if (await mayRotateSecret(this.#watch.get(this.#id))) await showSecret(await this.#webhook.rotate());
  }

  async #remove() {
    const id = this.#id;
    if (!(await mayRemoveWebhook(this.#watch.get(id)))) return;
    await this.#webhook.delete();
    await this.#watch.reload();
    this.#actions.removed(id);
  }

  async #redeliver(delivery) {
    await this.#webhook.redeliver(delivery);
    setText(this.said, texts.deliveries.sent);
    await this.reload();
  }

  async #redeliverDead() {
    const { count } = await this.#webhook.redeliverDead();
    setText(this.said, count === 0 ? texts.deliveries.noneDead : texts.deliveries.sentAll({ count }));
    await this.reload();
  }
}

/** [name, text] of what there is to know of a webhook. */
function about(webhook, failure) {
  const { state, reason, lag, failingSince, nextAttemptAt, headerNames, concurrency, timeoutSeconds } = webhook;
  return [
    [texts.webhooks.url, webhook.url],
    state === 'disabled' && reason && [texts.webhook.why, reasonText(reason)],
    [texts.webhook.events, chosenEvents(webhook)],
    [texts.webhook.requests, texts.webhook.pace({ concurrency, duration: measured(timeoutSeconds, 'second') })],
    headerNames.length > 0 && [texts.webhook.headers, headerNames.join(', ')],
    [texts.webhook.waiting, waitingEvents(lag)],
    failingSince && [texts.webhook.failingSince, moment(failingSince)],
    failure && [texts.webhook.lastError, attemptLine(failure)],
    state === 'failing' && nextAttemptAt && [texts.webhook.nextAttempt, moment(nextAttemptAt)],
    webhookName(webhook) !== webhook.id && [texts.webhook.id, webhook.id],
  ].filter(Boolean);
}

const fact = ([label, value]) => [el('dt', {}, label), el('dd', {}, value)];
