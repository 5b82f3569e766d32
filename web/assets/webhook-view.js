/** One webhook: its settings, how it does, what can be done with it, and its deliveries. */
import { DeliveryView } from './delivery-view.js';
import { el, place, set, setText } from './dom.js';
import { moment } from './format.js';
import {
  attemptLine,
  attemptResult,
  chosenEvents,
  DELIVERY_STATES,
  isTaken,
  reasonText,
  waitingEvents,
  webhookName,
  WEBHOOK_STATES,
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
    this.pause = button('Pause', 'webhook-pause', () => this.#pause());
    this.resume = button('Resume', 'webhook-resume', () => this.#resume());
    this.redeliverDead = button('Send all dead again', 'redeliver-dead', () => this.#redeliverDead());
    this.filter = el(
      'select',
      {
        'aria-label': 'Which deliveries',
        data: { test: 'delivery-filter' },
        on: { change: () => actions.run(() => this.#show(PAGE)) },
      },
      el('option', { value: '' }, 'All deliveries'),
      Object.entries(DELIVERY_STATES).map(([value, label]) => el('option', { value }, label)),
    );
    this.list = el('ul', { class: 'deliveries', 'aria-label': 'Deliveries' });
    this.note = el('p', { class: 'empty', data: { test: 'deliveries-empty' } });
    this.more = button('Show more', 'more-deliveries', () => this.#show(this.#wanted + PAGE), 'quiet more');
    this.element = el(
      'div',
      {},
      this.facts,
      el(
        'div',
        { class: 'webhook-actions' },
        button('Change settings', 'webhook-change', () => this.#change()),
        button('Send a test', 'webhook-test', () => this.#test()),
        this.pause,
        this.resume,
        button('Send events again', 'webhook-replay', () => this.#replay()),
        button('New secret', 'webhook-rotate', () => this.#rotate()),
        button('Remove', 'webhook-remove', () => this.#remove(), 'quiet danger-text'),
      ),
      this.said,
      el(
        'div',
        { class: 'deliveries-header' },
        el('h3', {}, 'Deliveries'),
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
    setText(this.note, 'Loading…');
    this.note.hidden = false;
    setText(this.said, '');
    this.render();
    return this.#show(PAGE);
  }

  /** Shows what is known of it now. */
  render() {
    const webhook = this.#watch.get(this.#id);
    if (!webhook) return;
    setText(this.state, WEBHOOK_STATES[webhook.state] ?? webhook.state);
    set(this.state, 'data-state', webhook.state);
    const pairs = about(webhook, this.#watch.lastFailure(webhook.id));
    if (JSON.stringify(pairs) !== this.facts.dataset.shown) {
      const [[, url], ...others] = pairs;
      const state = [el('dt', {}, 'State'), el('dd', {}, this.state)];
      this.facts.replaceChildren(...fact(['URL', url]), ...state, ...others.flatMap(fact));
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
    setText(this.note, state ? 'There are no deliveries.' : 'Nothing has been sent yet.');
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
    setText(this.said, 'Waiting for the receiver…');
    const { attempts } = await this.#webhook.test().catch((error) => {
      setText(this.said, '');
      throw error;
    });
    const last = attempts.at(-1);
    const result = last ? `${attemptResult(last)}, after ${last.milliseconds} ms` : 'nothing was sent';
    setText(this.said, `The receiver ${last && isTaken(last) ? 'took' : 'did not take'} the test: ${result}.`);
  }

  async #change() {
    if (!(await changeWebhook(this.#webhook))) return;
    setText(this.said, 'The settings are saved.');
    await this.#watch.reload();
  }

  async #replay() {
    const webhook = await replayWebhook(this.#webhook);
    if (!webhook) return;
    setText(this.said, webhook.lag === 0 ? 'There is nothing to send again.' : 'The events are being sent again.');
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
    setText(this.said, 'The delivery is sent again.');
    await this.reload();
  }

  async #redeliverDead() {
    const { count } = await this.#webhook.redeliverDead();
    const what = count === 1 ? '1 delivery is' : `${count} deliveries are`;
    setText(this.said, count === 0 ? 'None is dead.' : `${what} sent again.`);
    await this.reload();
  }
}

/** [name, text] of what there is to know of a webhook. */
function about(webhook, failure) {
  const { state, reason, lag, failingSince, nextAttemptAt, headerNames, concurrency, timeoutSeconds } = webhook;
  return [
    ['URL', webhook.url],
    state === 'disabled' && reason && ['Why', reasonText(reason)],
    ['Events', chosenEvents(webhook)],
    ['Requests', `${concurrency} at the same time, ${timeoutSeconds} s for an answer`],
    headerNames.length > 0 && ['Headers', headerNames.join(', ')],
    ['Waiting', waitingEvents(lag)],
    failingSince && ['Failing since', moment(failingSince)],
    failure && ['Last error', attemptLine(failure)],
    state === 'failing' && nextAttemptAt && ['Next attempt', moment(nextAttemptAt)],
    webhookName(webhook) !== webhook.id && ['Id', webhook.id],
  ].filter(Boolean);
}

const fact = ([label, value]) => [el('dt', {}, label), el('dd', {}, value)];
