/** Which conversations the desk's list shows, in which order, and how many of each kind there are. */
import { el, iconButton, place, set } from './dom.js';
import { counted, roughly } from './format.js';
import { texts } from './texts.js';

const MOST = 10_000; // as the gateway counts

export class DeskFilters {
  #states = { open: { snoozed: 'exclude' }, snoozed: { state: 'open', snoozed: 'only' } };

  /** The kinds of the list on top. */
  segments = [
    { state: 'open', label: texts.desk.listOpen, test: 'segment-open' },
    { state: 'snoozed', label: texts.desk.listSnoozed, test: 'segment-snoozed' },
    { state: 'closed', label: texts.desk.listClosed, test: 'segment-closed' },
    { state: 'all', label: texts.desk.listAll, test: 'segment-all' },
  ];

  /** @param {{agent: () => {id: string}|undefined, isMine: (thread: object) => boolean, channels: HTMLSelectElement,
   *           tags: import('./tag-book.js').TagBook, settings: import('./person-settings.js').PersonSettings, views: () => void, select: () => void,
   *           changed: () => void}} parts
   *    `channels`: where one channel is chosen; `views`, `select`: what the buttons do; `changed`: what is on show shall be another */
  constructor({ agent, isMine, channels, tags, settings, views, select, changed }) {
    Object.assign(this, { channels, tags });
    this.filters = [
      { name: 'all', label: texts.desk.filterAll, accept: () => true },
      {
        name: 'waiting',
        label: texts.desk.filterWaiting,
        query: () => ({ waiting: true }),
        accept: (thread) => thread.waitingSince,
        empty: texts.desk.noWaiting,
      },
      { name: 'mine', label: texts.desk.filterMine, query: () => ({ agent: agent().id }), accept: isMine, empty: texts.desk.noMine },
      {
        name: 'unassigned',
        label: texts.desk.filterUnassigned,
        query: () => ({ unassigned: true }),
        accept: (thread) => !thread.agent,
        empty: texts.desk.noUnassigned,
      },
    ];
    const chooser = (label, test, options) => el('select', { 'aria-label': label, data: { test }, on: { change: changed } }, options);
    this.tag = chooser(texts.tags.filter, 'tag-filter');
    this.order = chooser(texts.order.label, 'order', [
      el('option', { value: 'activity' }, texts.order.activity),
      el('option', { value: 'waiting' }, texts.order.waiting),
    ]);
    this.order.value = settings.get('order');
    this.select = iconButton('select', texts.selection.start, { 'aria-pressed': 'false', data: { test: 'select' }, on: { click: select } });
    this.views = iconButton('bookmark', texts.views.title, { data: { test: 'views' }, on: { click: views } });
    this.element = el('div', { class: 'list-tools' }, this.order, this.tag, this.views, this.select);
    tags.addEventListener('change', () => this.#showTags());
    settings.addEventListener('change', () => {
      if (this.order.value === settings.get('order')) return;
      this.order.value = settings.get('order');
      changed();
    });
    this.#showTags();
  }

  /** What the gateway is asked for in a list. @param {string} state  of a segment */
  query(state) {
    const tag = this.tag.value;
    return {
      ...this.#states[state],
      ...(this.channels.value && { channel: this.channels.value }),
      ...(this.order.value !== 'activity' && state !== 'closed' && { order: this.order.value }),
      ...(tag && { tag }),
    };
  }

  /** Whether a conversation belongs to what is on show, apart from the filters of the list. @param {object} thread
   *  @param {string} state */
  accepts(thread, state) {
    if (this.channels.value && thread.channel !== this.channels.value) return false;
    if (this.tag.value && !thread.tags?.includes(this.tag.value)) return false;
    if (state === 'open') return !thread.snooze;
    return state !== 'snoozed' || Boolean(thread.snooze);
  }

  /** @param {import('./desk-counts.js').DeskCounts['numbers']} numbers
   *  @returns {[Record<string, string>, Record<string, string>]}  as the list shows them */
  said({ open, waiting, mine, unassigned, snoozed, longestWaitingSince }) {
    const written = (number) => (number === undefined ? undefined : number >= MOST ? `${counted(MOST)}+` : counted(number));
    const counts = { open: written(open), snoozed: snoozed ? written(snoozed) : undefined, waiting: written(waiting), mine: written(mine), unassigned: written(unassigned) };
    const minutes = longestWaitingSince && Math.max(0, Math.floor((Date.now() - Date.parse(longestWaitingSince)) / 60_000));
    return [counts, minutes === undefined ? {} : { waiting: texts.desk.longest({ duration: roughly(minutes) }) }];
  }

  /** What is chosen, to be kept as a view. */
  get chosen() {
    return { channel: this.channels.value, tag: this.tag.value, order: this.order.value };
  }

  choose({ channel = '', tag = '', order = 'activity' }) {
    for (const [field, value] of [[this.channels, channel], [this.tag, tag], [this.order, order]]) {
      const isThere = [...field.options].some((option) => option.value === value);
      field.value = isThere ? value : field.options[0].value;
    }
  }

  #showTags() {
    const { value } = this.tag;
    const all = this.tags.list();
    const option = ({ id, name }) => el('option', { value: id, selected: id === value }, name);
    place(this.tag, [el('option', { value: '' }, texts.tags.any), ...all.map(option)]);
    this.tag.hidden = all.length === 0;
    set(this.element, 'data-tags', all.length > 0);
  }
}
