/**
 * What is known of a customer beside a conversation: names and fields, which are changed in place, the last visit, ratings, and
 * what agents have noted of the customer. Follows `customer.updated`.
 */
import { newId } from '../parley.js';
import { path } from '../parley/paths.js';
import { noteProblem } from './dialogs.js';
import { el, iconButton, place } from './dom.js';
import { EditableField } from './editable-field.js';
import { counted, dateAndTime, shortTime } from './format.js';
import { addressAt } from './links.js';
import { leaves } from './survey.js';
import { locale, texts } from './texts.js';

const NAMES = ['firstName', 'lastName', 'email'];
const LONGEST_NOTE = 4000;

export class CustomerProfile {
  #fields = new Map(); // name -> EditableField
  #shown; // {channel, id}
  #customer;
  #notes = [];
  #version = 0; // of the newest question

  /** @param {import('../parley.js').Parley} parley @param {EventTarget} stream  the desk's events
   *  @param {(id: string) => import('../parley.js').Channel|undefined} channelOf @param {() => object|undefined} agent
   *  @param {AbortSignal} [signal]  ends it */
  constructor(parley, stream, channelOf, agent, signal) {
    Object.assign(this, { parley, channelOf, agent });
    this.fields = el('dl', { class: 'facts', data: { test: 'customer-fields' } });
    this.facts = el('dl', { class: 'facts', data: { test: 'customer-facts' } });
    this.notes = el('ul', { class: 'customer-notes', 'aria-label': texts.customer.notes });
    this.draft = el('textarea', {
      rows: 2, maxlength: LONGEST_NOTE, dir: 'auto', required: true, 'aria-label': texts.customer.note, placeholder: texts.customer.note,
      data: { test: 'customer-note-text' },
    });
    const submit = (event) => {
      event.preventDefault();
      this.#addNote().catch(noteProblem);
    };
    const form = el(
      'form',
      { class: 'customer-note-form', on: { submit } },
      this.draft,
      el('button', { class: 'quiet', data: { test: 'customer-note-add' } }, texts.common.add),
    );
    this.element = el(
      'div',
      { class: 'profile', hidden: true, data: { test: 'profile' } },
      this.fields,
      this.facts,
      el('h3', {}, texts.customer.notes),
      this.notes,
      form,
    );
    const take = ({ detail: { type, data } }) => {
      const isIt = type === 'customer.updated' && data?.id === this.#shown?.id && data?.channel === this.#shown?.channel;
      if (isIt || (type === 'ready' && this.#shown)) this.#load();
    };
    stream.addEventListener('event', take, { signal });
  }

  /** @param {{channel: string, customer: {id: string}}} thread */
  show({ channel, customer: { id } }) {
    if (this.#shown?.channel === channel && this.#shown.id === id) return;
    this.#shown = { channel, id };
    this.#customer = undefined;
    this.#fields.clear();
    this.draft.value = '';
    this.#notes = [];
    this.element.hidden = true;
    place(this.fields, []);
    this.#load();
  }

  async #load() {
    const version = ++this.#version;
    const { channel, id } = this.#shown;
    const base = path`/v1/desk/customers/${id}`;
    try {
      const [customer, { items }] = await Promise.all([
        this.parley.request('GET', base, { query: { channel } }),
        this.parley.request('GET', `${base}/notes`, { query: { channel } }),
      ]);
      if (version !== this.#version) return;
      this.#customer = customer;
      this.#notes = items;
      this.#render();
    } catch (error) {
      if (error.status !== 404) console.warn(error); // 404: nothing is kept of the customer
    }
  }

  #render() {
    this.element.hidden = false;
    const { customFields = {}, ...customer } = this.#customer;
    const defined = this.channelOf(this.#shown.channel)?.customerFields ?? [];
    const idents = [...new Set([...defined.map(({ ident }) => ident), ...Object.keys(customFields)])];
    const wanted = new Map([
      ...NAMES.map((name) => [name, [{ name, label: texts.customer[name], type: name === 'email' ? 'email' : 'text', maxLength: 320 }, customer[name]]]),
      ...idents.map((ident) => [`custom-${ident}`, [custom(ident, defined.find((one) => one.ident === ident)), customFields[ident]]]),
    ]);
    // A field stays the same element: who writes in one goes on writing.
    for (const [key, [how, value]] of wanted) {
      const field = this.#fields.get(key) ?? new EditableField({ ...how, save: (text) => this.#save(key, how, text) });
      this.#fields.set(key, field);
      field.update(value);
    }
    place(this.fields, [...wanted.keys()].flatMap((key) => this.#fields.get(key).elements));
    this.#renderFacts(customer);
    this.#renderNotes();
  }

  async #save(key, { ident }, text) {
    const { channel, id } = this.#shown;
    const body = ident === undefined ? { [key]: text || null } : { customFields: { [ident]: text } };
    try {
      const customer = await this.parley.request('PATCH', path`/v1/desk/customers/${id}`, { query: { channel }, body });
      if (this.#shown.id === id && this.#shown.channel === channel) this.#customer = { ...this.#customer, ...customer };
    } catch (error) {
      noteProblem(error);
      throw error;
    }
  }

  #renderFacts({ id, verified, firstSeenAt, lastSeenAt, visit = {}, sessions, ratings }) {
    const { page, title, language, timeZone, device } = visit;
    const rows = [
      [texts.customer.id, id],
      [texts.customer.verified, verified && texts.customer.yes],
      [texts.customer.firstSeen, firstSeenAt && dateAndTime(firstSeenAt)],
      [texts.customer.lastSeen, lastSeenAt && dateAndTime(lastSeenAt)],
      [texts.customer.page, page && linked(page, title)],
      [texts.customer.language, language && languageName(language)],
      [texts.customer.zone, timeZone && zone(timeZone)],
      [texts.customer.device, device],
      [texts.customer.sessions, sessions > 1 && counted(sessions)],
      [texts.customer.ratings, ratings?.count > 0 && texts.customer.rated({ mean: counted(ratings.mean), count: ratings.count })],
    ].filter(([, value]) => value);
    place(this.facts, rows.flatMap(([label, value]) => [el('dt', {}, label), el('dd', { dir: 'auto' }, value)]));
  }

  #renderNotes() {
    const row = ({ id, text, author, createdAt }) =>
      el(
        'li',
        { data: { test: 'customer-note', id } },
        el('p', { dir: 'auto' }, text),
        el('small', { class: 'muted', dir: 'auto' }, `${author?.name ?? texts.people.agent} · ${shortTime(createdAt)}`),
        iconButton('close', texts.notes.removeTitle, { data: { test: 'customer-note-remove' }, on: { click: () => this.#removeNote(id).catch(noteProblem) } }),
      );
    place(this.notes, this.#notes.map(row));
    this.notes.hidden = this.#notes.length === 0;
  }

  async #addNote() {
    const { channel, id } = this.#shown;
    const text = this.draft.value.trim();
    if (!text) return;
    const note = await this.parley.request('POST', path`/v1/desk/customers/${id}/notes`, { query: { channel }, body: { text, agent: this.agent() }, key: newId() });
    if (this.#shown.id !== id || this.#shown.channel !== channel) return;
    this.draft.value = '';
    this.#notes = [note, ...this.#notes.filter((one) => one.id !== note.id)];
    this.#renderNotes();
  }

  async #removeNote(note) {
    const { channel, id } = this.#shown;
    try {
      await this.parley.request('DELETE', path`/v1/desk/customers/${id}/notes/${note}`, { query: { channel } });
    } catch (error) {
      if (error.status !== 404) throw error; // another agent was faster
    }
    this.#notes = this.#notes.filter((one) => one.id !== note);
    this.#renderNotes();
    this.draft.focus();
  }
}

function custom(ident, { label = ident, type, options = [] } = {}) {
  const how = { name: `custom-${ident}`, ident, label, type: type === 'email' ? 'email' : 'text' };
  if (type === 'list') return { ...how, options: [['', '–'], ...options.map(({ id, label: text }) => [id, text])] };
  return type === 'tree' ? { ...how, options: [['', '–'], ...leaves(options)] } : how;
}

/** The page as a link, if it is one of the web. */
function linked(page, title) {
  const { href } = addressAt(page, 0) ?? {};
  return href ? el('a', { href, target: '_blank', rel: 'noopener noreferrer', title: href }, title || href) : page;
}

function languageName(tag) {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(tag);
  } catch {
    return tag; // the customer's browser says what it likes
  }
}

/** The zone, and what time it is there. */
function zone(name) {
  try {
    const time = new Intl.DateTimeFormat(locale, { timeZone: name, hour: 'numeric', minute: '2-digit' }).format();
    return `${name} · ${time}`;
  } catch {
    return name;
  }
}
