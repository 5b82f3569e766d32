/** The keys of programs: making, rotating and ending them. */
import { channelsIn, listView, rowButton, showOnce, shownTime, showRows, sure } from './access-parts.js';
import { ask } from './dialogs.js';
import { el } from './dom.js';
import { texts } from './texts.js';

const words = texts.access;

/** What a key may be allowed, by area; `manage` has what `write` has, and `write` what `read` has. */
const AREAS = {
  sessions: ['read', 'write'],
  desk: ['read', 'write', 'manage'],
  customers: ['write'],
  channels: ['read', 'write'],
  webhooks: ['read', 'write'],
  metrics: ['read'],
  inspect: ['read', 'write'],
  people: ['read'],
  keys: ['read'],
  audit: ['read'],
  sandbox: ['write'],
};

export class KeysView {
  #parley;
  #run;

  /** @param {import('../parley.js').Parley} parley @param {(action: () => Promise<void>) => Promise<void>} run */
  constructor(parley, run) {
    this.#parley = parley;
    this.#run = run;
    const { element, list } = listView(words.keys, words.addKey, 'key-add', () => run(() => this.#add()));
    [this.element, this.list] = [element, list];
  }

  async load() {
    const { items } = await this.#parley.request('GET', '/v1/keys');
    const titles = [texts.common.name, words.scopes, words.channels, words.lastUsed, words.ends, ''];
    const rows = items.map((key) => [
      key.agent ? `${key.name} (${key.agent.name ?? key.agent.id})` : key.name,
      key.scopes.join(', '),
      key.channels?.join(', ') ?? words.all,
      shownTime(key.lastUsedAt),
      key.state === 'expired' ? words.hasEnded : shownTime(key.expiresAt),
      el('span', { class: 'filters' }, this.#buttons(key)),
    ]);
    showRows(this.list, words.keys, 'keys', titles, rows, words.noKeys);
  }

  #buttons(key) {
    const path = `/v1/keys/${encodeURIComponent(key.id)}`;
    const rotate = async () => {
      const made = await this.#parley.request('POST', `${path}/rotate`);
      await this.load();
      await this.#show(made, words.rotatedHint);
    };
    const remove = async () => {
      if (!(await sure(words.removeKeyHint({ name: key.name }), words.remove))) return;
      await this.#parley.request('DELETE', path);
      await this.load();
    };
    return [
      rowButton(words.rotate, 'key-rotate', () => this.#run(rotate)),
      rowButton(words.remove, 'key-remove', () => this.#run(remove), 'quiet danger-text'),
    ];
  }

  async #add() {
    const kinds = (area) => [['', words.kinds.none], ...AREAS[area].map((kind) => [kind, words.kinds[kind]])];
    const fields = [
      { name: 'name', label: texts.common.name, required: true, maxLength: 128, hint: words.keyNameHint },
      ...Object.keys(AREAS).map((area) => ({ name: area, label: words.areas[area], options: kinds(area) })),
      { name: 'channelIds', label: words.channels, hint: words.channelsHint },
      { name: 'days', label: words.days, value: '365', pattern: '[0-9]*', hint: words.daysHint },
    ];
    const answer = await ask({ title: words.addKey, submit: words.addKey, test: 'key', fields });
    if (!answer) return;
    const channels = channelsIn(answer.channelIds);
    const body = {
      name: answer.name,
      scopes: Object.keys(AREAS).filter((area) => answer[area]).map((area) => `${area}.${answer[area]}`),
      ...(channels.length && { channels }),
      expiresAt: answer.days ? new Date(Date.now() + Number(answer.days) * 86_400_000).toISOString() : null,
    };
    const made = await this.#parley.request('POST', '/v1/keys', { body });
    await this.load();
    await this.#show(made, words.keyHint);
  }

  #show({ name, secret, scopes }, hint) {
    const path = scopes.includes('metrics.read') ? '/metrics' : '/v1/info';
    return showOnce(name, hint, [
      [words.key, secret],
      [words.sample, `curl -s ${location.origin}${path} -H "Authorization: Bearer ${secret}"`],
    ]);
  }
}
