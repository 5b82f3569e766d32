/** What is to go wrong in the sandbox: faults with their conditions, and scripts of faults. */
import { el } from './dom.js';
import { conditionWords, faultBody, stepWords } from './fault-format.js';
import { table } from './inspect-parts.js';
import { texts } from './texts.js';

/** What can go wrong on each platform, and a script for it. */
const PLATFORMS = {
  cxone: {
    kinds: ['loseAnswer', 'delayAnswer', 'refuse', 'duplicatePush', 'reorderPush', 'dropSocket', 'expireToken'],
    event: 'SendMessage',
    steps: [
      { fault: { kind: 'loseAnswer', event: 'SendMessage' } },
      { fault: { kind: 'dropSocket' }, delayMilliseconds: 500 },
      { fault: { kind: 'duplicatePush', event: 'MessageCreated' } },
    ],
  },
  sendbird: {
    kinds: [
      'loseAnswer', 'loseRequest', 'lateDeed', 'cutAnswer', 'delayAnswer', 'refuse', 'limitRate', 'expirePage',
      'dropWebhook', 'delayPush', 'duplicatePush', 'reorderPush', 'badSignature',
    ],
    event: 'group_channel:message_send',
    steps: [
      { fault: { kind: 'dropWebhook', event: 'group_channel:message_send' } },
      { fault: { kind: 'duplicatePush' }, delayMilliseconds: 500 },
      { fault: { kind: 'badSignature' } },
    ],
  },
};

export class FaultsPart {
  #parley;
  #run;
  #platform;
  #query; // of each request

  /** @param {import('../parley.js').Parley} parley @param {{platform: string, run: (action: () => Promise<void>) => void}} page */
  constructor(parley, { platform, run }) {
    this.#parley = parley;
    this.#run = run;
    this.#platform = PLATFORMS[platform];
    this.#query = { platform };
    const t = texts.faults;
    this.faults = el('div');
    this.scripts = el('div');
    this.script = el('textarea', { name: 'script', rows: 8, spellcheck: 'false', 'aria-label': t.script, data: { test: 'script-text' } });
    this.script.value = JSON.stringify({ steps: this.#platform.steps }, null, 2);
    const click = (action) => ({ click: () => run(action) });
    this.elements = [
      el('h2', {}, texts.inspect.faults),
      this.#form(),
      this.faults,
      el('h2', {}, t.scripts),
      el(
        'details',
        { class: 'follow' },
        el('summary', { data: { test: 'new-script' } }, t.newScript),
        el('div', { class: 'script' }, this.script,
          el('button', { type: 'button', class: 'primary', data: { test: 'start-script' }, on: click(() => this.#start()) }, t.start)),
      ),
      this.scripts,
    ];
  }

  #form() {
    const t = texts.faults;
    const label = (text, input) => el('label', { class: 'filter' }, el('span', {}, text), input);
    const field = (name, how = {}) => label(t[name], el('input', { name, autocomplete: 'off', spellcheck: 'false', data: { test: `fault-${name}` }, ...how }));
    const number = (name, how) => field(name, { type: 'number', min: 1, ...how });
    const kind = el('select', { name: 'kind', data: { test: 'fault-kind' } }, this.#platform.kinds.map((one) => el('option', { value: one }, one)));
    const submit = (happening) => {
      happening.preventDefault();
      this.#run(() => this.#add(form));
    };
    const clear = async () => {
      await this.#parley.request('DELETE', '/v1/sandbox/faults', { query: this.#query });
      await this.load();
    };
    const form = el(
      'form',
      { on: { submit } },
      el(
        'div',
        { class: 'filters' },
        label(t.kind, kind), field('event', { placeholder: this.#platform.event }), field('customer'), number('count', { max: 1000, placeholder: '1' }),
        el('button', { type: 'submit', class: 'primary', data: { test: 'add-fault' } }, t.add),
        el('button', { type: 'button', class: 'quiet', data: { test: 'clear-faults' }, on: { click: () => this.#run(clear) } }, t.clear),
      ),
      el(
        'details',
        { class: 'follow' },
        el('summary', { data: { test: 'fault-conditions' } }, t.conditions),
        el(
          'div',
          { class: 'filters' },
          number('nth', { max: 1_000_000 }), number('seconds', { min: 0.001, max: 86_400, step: 'any' }),
          number('probability', { min: 0, max: 1, step: 'any' }), number('seed', { min: 0 }), field('channel'), number('socket'),
          number('milliseconds', { min: 0, max: 600_000, placeholder: '1000' }), field('errorCode'),
        ),
      ),
    );
    return form;
  }

  async #add(form) {
    const body = faultBody(Object.fromEntries(new FormData(form)));
    await this.#parley.request('POST', '/v1/sandbox/faults', { query: this.#query, body, key: crypto.randomUUID() });
    await this.load();
  }

  async #start() {
    let body;
    try {
      body = JSON.parse(this.script.value);
    } catch (error) {
      throw Object.assign(error, { detail: texts.faults.noJSON({ why: error.message }) });
    }
    await this.#parley.request('POST', '/v1/sandbox/scripts', { query: this.#query, body, key: crypto.randomUUID() });
    await this.load();
  }

  /** Asks what is due, and how far the scripts are. @param {AbortSignal} [signal] */
  async load(signal) {
    const [faults, scripts] = await Promise.all(
      ['faults', 'scripts'].map((list) => this.#parley.request('GET', `/v1/sandbox/${list}`, { query: this.#query, signal })),
    );
    const t = texts.faults;
    const due = faults.items.map((one) => [one.kind, one.event, one.customer, one.count === undefined ? '' : String(one.count), conditionWords(one)]);
    this.#put(this.faults, 'faults', texts.inspect.faults, [t.kind, t.event, t.customer, t.count, t.conditions], due, t.none);
    const running = scripts.items.map((one) => [
      one.name ?? one.id, el('ol', { class: 'steps' }, one.steps.map((step) => el('li', { data: { progress: step.progress } }, stepWords(step)))),
      this.#stopper(one),
    ]);
    this.#put(this.scripts, 'scripts', t.scripts, [texts.common.name, t.steps, ''], running, t.noScripts);
  }

  #stopper({ id, name, isDone }) {
    const stop = async () => {
      await this.#parley.request('DELETE', `/v1/sandbox/scripts/${encodeURIComponent(id)}`);
      await this.load();
    };
    const label = isDone ? texts.faults.remove : texts.faults.stop;
    return el('button', { type: 'button', class: 'quiet', 'aria-label': `${label}: ${name ?? id}`, data: { test: 'stop-script', id }, on: { click: () => this.#run(stop) } }, label);
  }

  /** Puts a new table in place of the old one if it differs, so that a selection and the keyboard stay where they are. */
  #put(part, test, label, titles, rows, none) {
    const made = rows.length ? table(label, test, titles, rows) : el('p', { class: 'muted', data: { test: `no-${test}` } }, none);
    if (part.dataset.shown === made.textContent) return;
    part.dataset.shown = made.textContent;
    const focused = part.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    part.replaceChildren(made);
    if (focused) part.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
  }
}
