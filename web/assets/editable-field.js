/**
 * One line of facts that can be changed in place: a value with a button, then a field with the same value. Nothing is sent while
 * one writes: Enter or leaving the field keeps it, Escape does not. What comes meanwhile does not touch the field.
 */
import { el, iconButton, setText } from './dom.js';
import { texts } from './texts.js';

export class EditableField {
  #value = '';
  #isSaving = false;
  #input;

  /** @param {{name: string, label: string, type?: string, maxLength?: number, options?: [string, string][],
   *           save: (value: string) => Promise<void>}} how  `save`: what it throws is shown by who throws; the old value comes back */
  constructor({ name, label, type, maxLength = 4096, options, save }) {
    Object.assign(this, { name, label, type, maxLength, options, save });
    this.text = el('span', { class: 'fact-value', dir: 'auto', data: { test: `fact-${name}` } });
    this.button = iconButton('pencil', texts.customer.change({ name: label }), {
      data: { test: `change-${name}` },
      on: { click: () => this.edit() },
    });
    this.place = el('dd', { class: 'editable' }, this.text, this.button);
    this.elements = [el('dt', {}, label), this.place];
  }

  get isEditing() {
    return this.#input !== undefined;
  }

  /** @param {string|undefined} value */
  update(value = '') {
    if (this.#isSaving) return;
    this.#value = value;
    setText(this.text, (this.options && this.options.find(([id]) => id === value)?.[1]) ?? (value || '–'));
  }

  edit() {
    if (this.isEditing) return;
    const attributes = { 'aria-label': this.label, data: { test: `field-${this.name}` } };
    const known = this.options?.some(([id]) => id === this.#value) ? this.options : [...(this.options ?? []), [this.#value, this.#value]];
    this.#input = this.options
      ? el('select', attributes, known.map(([id, text]) => el('option', { value: id, selected: id === this.#value }, text)))
      : el('input', { ...attributes, type: this.type, maxlength: this.maxLength, dir: 'auto', autocomplete: 'off', value: this.#value });
    this.#input.addEventListener('keydown', (event) => {
      if (event.isComposing || !['Enter', 'Escape'].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      this.#end(event.key === 'Enter', true);
    });
    this.#input.addEventListener('blur', () => this.#end(true, false));
    this.place.replaceChildren(this.#input);
    this.#input.focus();
    this.#input.select?.();
  }

  async #end(isKept, takesFocus) {
    const input = this.#input;
    if (!input) return;
    this.#input = undefined; // a blur comes with what follows
    const [before, value] = [this.#value, input.value.trim()];
    this.place.replaceChildren(this.text, this.button);
    if (takesFocus) this.button.focus();
    if (!isKept || value === before) return;
    this.update(value);
    this.#isSaving = true;
    try {
      await this.save(value);
      this.#isSaving = false;
    } catch {
      this.#isSaving = false;
      this.update(before);
    }
  }
}
