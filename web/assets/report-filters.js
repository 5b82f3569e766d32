/** What a report is about: its time, its rows, its channel, and whose work it is. And the same in one line, for paper. */
import { el, place, setText } from './dom.js';
import { dateOf, GROUPINGS, SPANS, withSpan, zoneHere } from './report-choice.js';
import { locale, texts } from './texts.js';

const words = texts.reports;

const options = (names, wordOf) => names.map((name) => el('option', { value: name }, wordOf(name)));

export class ReportFilters {
  #choice;
  #time;
  #change;
  #channels = new Map();
  #isOwn = false;
  #fields = {};
  #labels = {};

  /** @param {(choice: import('./report-choice.js').Choice) => void} change  the user has chosen something else */
  constructor(change) {
    this.#change = change;
    const date = () => el('input', { type: 'date' });
    this.element = el('div', { class: 'filters' },
      this.#add('span', words.time, el('select', {}, options(SPANS, (name) => words.spans[name])), (span) => this.#setSpan(span)),
      this.#add('from', words.from, date()),
      this.#add('to', words.to, date()),
      this.#add('by', words.by, el('select', {}, options(GROUPINGS, (name) => words.groupings[name]))),
      this.#add('channel', words.channel, el('select')),
      this.#add('whose', words.whose, el('select', {}, options(['', 'mine'], (name) => (name ? words.mine : words.team)))));
    this.line = el('p', { class: 'muted', data: { test: 'reports-about' } });
    this.offerWhose(false);
  }

  #add(name, label, field, changed = (value) => this.#put({ [name]: value || undefined })) {
    field.dataset.test = `reports-${name}`;
    field.addEventListener('change', () => changed(field.value));
    this.#fields[name] = field;
    this.#labels[name] = el('label', { class: 'filter' }, el('span', {}, label), field);
    return this.#labels[name];
  }

  /** @param {boolean} isOffered  whether the user may choose between the team's figures and their own */
  offerWhose(isOffered) {
    this.#labels.whose.hidden = !isOffered;
  }

  /** @param {Map<string, string>} channels  their names, by their ids */
  offer(channels) {
    this.#channels = channels;
    const { channel = '' } = this.#choice;
    const all = new Map([['', texts.desk.allChannels], ...channels]);
    if (!all.has(channel)) all.set(channel, channel); // it was removed since
    place(this.#fields.channel, [...all].map(([id, name]) => el('option', { value: id, selected: id === channel }, name)));
    this.#tell();
  }

  /** @param {import('./report-choice.js').Choice} choice @param {{since: Date, until: Date}} [time]  none: dates that are none
   *  @param {boolean} [isOwn]  whether the figures are the person's own */
  show(choice, time, isOwn = false) {
    this.#choice = choice;
    this.#time = time;
    this.#isOwn = isOwn;
    for (const [name, field] of Object.entries(this.#fields)) {
      const value = choice[name] ?? '';
      if (field.value !== value) field.value = value; // else who types a date would begin anew with each digit
    }
    for (const name of ['from', 'to']) this.#labels[name].hidden = choice.span !== 'own';
    this.#tell();
  }

  #tell() {
    if (!this.#time) return setText(this.line, '');
    const { since, until } = this.#time;
    const { channel } = this.#choice;
    const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).formatRange(since, new Date(until.getTime() - 1));
    const said = [this.#isOwn && words.mine, dates, zoneHere(), channel ? (this.#channels.get(channel) ?? channel) : texts.desk.allChannels];
    setText(this.line, said.filter(Boolean).join(' · '));
  }

  /** Own dates begin with those that were on show. */
  #setSpan(span) {
    const dates = this.#time && { from: dateOf(this.#time.since), to: dateOf(new Date(this.#time.until.getTime() - 1)) };
    this.#choice = withSpan(this.#choice, span);
    this.#put(span === 'own' ? (dates ?? {}) : {});
  }

  #put(changes) {
    this.#change({ ...this.#choice, ...changes });
  }
}
