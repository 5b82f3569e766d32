/**
 * Saved replies where one writes: `/` as the first sign, or Ctrl+K, opens a list that narrows while one types. What is chosen goes
 * into the input with its places filled; a place for which nothing is known stays, is marked, and asked about before it is sent.
 */
import { ask, noteProblem } from './dialogs.js';
import { el, place, set } from './dom.js';
import { fillReply, openPlaces } from './reply-variables.js';
import { fittingReplies } from './reply-search.js';
import { texts } from './texts.js';

const MOST = 50; // rows; who looks for others types on

/** Asks before a text with open places is sent. @param {string} text @returns {Promise<boolean>|undefined} */
export function confirmPlaces(text) {
  const places = openPlaces(text);
  if (!places.length) return undefined;
  const question = { title: texts.saved.openTitle, text: texts.saved.open({ places: places.join(', ') }), submit: texts.collision.sendAnyway, test: 'open-places' };
  return ask(question).then(Boolean);
}

/** Puts a reply into the input. @param {import('./composer-view.js').ComposerView} composer @param {string} text
 *  @param {Record<string, string|undefined>} values */
export function insertReply(composer, text, values) {
  const filled = fillReply(text, values);
  const places = openPlaces(filled);
  composer.insert(filled);
  if (places.length) composer.warn(texts.saved.open({ places: places.join(', ') }), places[0]);
}

export class ReplyPicker {
  #typed = ''; // what stood in the input when it was opened
  #shown = [];
  #loading; // the promise of an answer that is on its way
  #at = 0;

  /** @param {{composer: import('./composer-view.js').ComposerView, kept: import('./canned-answers.js').CannedAnswers,
   *           channel: () => string|undefined, values: () => Record<string, string|undefined>}} parts */
  constructor({ composer, kept, channel, values }) {
    Object.assign(this, { composer, kept, channel, values });
    this.list = el('ul', { id: 'saved-list', role: 'listbox', 'aria-label': texts.answers.title });
    this.field = el('input', {
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': this.list.id,
      'aria-autocomplete': 'list',
      'aria-label': texts.saved.find,
      placeholder: texts.saved.find,
      autocomplete: 'off',
      dir: 'auto',
      maxlength: 80,
      data: { test: 'saved-find' },
      on: { input: () => this.#render(0), keydown: (event) => this.#pressed(event), blur: () => this.#left() },
    });
    this.none = el('p', { class: 'muted', role: 'status', data: { test: 'saved-none' } });
    this.element = el('div', { class: 'saved', hidden: true, data: { test: 'saved' } }, this.list, this.none, this.field);
    composer.form.before(this.element);
    composer.input.addEventListener('input', (event) => this.#written(event));
    composer.input.addEventListener('keydown', (event) => {
      const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
      if (!isOurs || event.isComposing) return;
      event.preventDefault();
      this.open();
    });
    kept.addEventListener('change', () => this.element.hidden || this.#render(this.#at));
  }

  /** @param {string} [typed]  what is taken from the input, and comes back if nothing is chosen */
  open(typed = '') {
    this.#typed = typed;
    this.field.value = '';
    this.element.hidden = false;
    this.#render(0);
    this.field.focus();
    const loading = this.kept.load().catch(noteProblem);
    this.#loading = loading;
    loading.finally(() => this.#loading === loading && (this.#loading = undefined));
  }

  /** Only what is typed, not pasted, and never while an input method composes. */
  #written({ isComposing, inputType }) {
    const { input } = this.composer;
    if (input.value !== '/' || isComposing || inputType !== 'insertText') return;
    input.value = '';
    input.dispatchEvent(new Event('input')); // the draft too is empty
    this.open('/');
  }

  #pressed(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#point((this.#at + step + this.#shown.length) % Math.max(1, this.#shown.length));
    else if (event.key === 'Enter') this.#enter();
    else if (event.key === 'Escape') this.#close(this.#typed && this.#typed + this.field.value);
    else if (event.key === 'Backspace' && !this.field.value) this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Who types fast does not wait for the list. */
  async #enter() {
    if (!this.#shown.length) await this.#loading;
    if (!this.element.hidden) this.#choose(this.#shown[this.#at]);
  }

  #choose(answer) {
    if (!answer) return;
    this.#close();
    insertReply(this.composer, answer.text, this.values());
  }

  /** @param {string} [text]  what comes back */
  #close(text = '') {
    this.element.hidden = true;
    this.#typed = '';
    if (text) this.composer.insert(text);
    else this.composer.focus();
  }

  /** Tab leaves it, or a click beside it. */
  #left() {
    if (this.element.hidden) return;
    this.element.hidden = true;
  }

  #render(at) {
    this.#shown = fittingReplies(this.kept.list(), this.field.value, this.channel()).slice(0, MOST);
    place(this.list, this.#shown.map((answer, index) => this.#row(answer, index)));
    this.list.hidden = this.#shown.length === 0;
    set(this.field, 'aria-expanded', String(this.#shown.length > 0));
    this.none.textContent = this.#shown.length ? '' : this.field.value ? texts.saved.nothing : texts.answers.none;
    this.none.hidden = this.#shown.length > 0;
    this.#point(Math.min(at, Math.max(0, this.#shown.length - 1)));
  }

  #row(answer, index) {
    // Not on click: the field would lose the keyboard first.
    const pick = (event) => {
      event.preventDefault();
      this.#choose(answer);
    };
    return el(
      'li',
      { role: 'option', id: `saved-${index}`, class: 'answer', data: { test: 'saved-reply', id: answer.name }, on: { mousedown: pick } },
      el(
        'span',
        { class: 'thread-row' },
        el('strong', { dir: 'auto' }, answer.name),
        answer.shortcut && el('kbd', { dir: 'auto' }, `/${answer.shortcut}`),
      ),
      el('span', { class: 'muted', dir: 'auto' }, answer.text),
    );
  }

  #point(at) {
    this.#at = at;
    [...this.list.children].forEach((row, index) => set(row, 'aria-selected', String(index === at)));
    set(this.field, 'aria-activedescendant', this.#shown.length ? `saved-${at}` : undefined);
    this.list.children[at]?.scrollIntoView({ block: 'nearest' });
  }
}
