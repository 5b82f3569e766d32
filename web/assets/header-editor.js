/** A webhook's own headers in a form: a row for each. The gateway never tells their values, so they can only be replaced. */
import { el, iconButton, set } from './dom.js';
import { texts } from './texts.js';
import { fault } from './webhook-settings.js';

export class HeaderEditor {
  #known; // names that the webhook has
  #rows = []; // {name: () => string, isKnown, value: HTMLInputElement, element}

  /** @param {string[]} [known]  names of the headers that are there */
  constructor(known = []) {
    this.#known = known;
    this.list = el('ul', { class: 'field-rows' });
    this.add = el(
      'button',
      { type: 'button', class: 'quiet', data: { test: 'add-header' }, on: { click: () => this.#insert().focus() } },
      texts.webhook.addHeader,
    );
    this.element = el(
      'fieldset',
      { class: 'field-section' },
      el('legend', {}, texts.webhook.headers),
      el('small', {}, texts.webhook.headersHint),
      this.list,
      this.add,
    );
    for (const name of known) this.#insert(name);
  }

  /** What is to be set, or with null removed; undefined: nothing.
   *  @returns {Record<string, string|null>|undefined} @throws {ParleyError} two rows have the same name */
  read() {
    const rows = this.#rows.map(({ name, isKnown, value }) => ({ name: name(), isKnown, value: value.value.trim() }));
    const kept = new Set(rows.map(({ name }) => name.toLowerCase())); // names of headers have no case
    const removed = this.#known.filter((name) => !kept.has(name.toLowerCase())).map((name) => [name, null]);
    const written = rows.filter(({ name, isKnown, value }) => (isKnown ? value : name || value));
    const names = written.map(({ name }) => name.toLowerCase());
    const twice = written.find((_, index) => names.indexOf(names[index]) !== index);
    if (twice) throw fault('invalidMember', `headers/${twice.name}`, texts.webhook.sameHeader);
    const all = [...removed, ...written.map(({ name, value }) => [name, value])];
    return all.length ? Object.fromEntries(all) : undefined;
  }

  /** Marks the rows that the gateway refuses. @param {{pointer?: string}[]} errors */
  mark(errors = []) {
    const refused = errors.map(({ pointer = '' }) => pointer.split('/')).filter(([, member]) => member === 'headers');
    const names = new Set(refused.map(([, , name]) => name?.toLowerCase()));
    for (const { name, value } of this.#rows) set(value, 'aria-invalid', names.has(name().toLowerCase()) && 'true');
  }

  /** Adds a row; answers what is written first in it. @param {string} [known] */
  #insert(known) {
    const isKnown = known !== undefined;
    const name = isKnown
      ? el('span', { class: 'header-name' }, known)
      : el('input', { placeholder: texts.common.name, 'aria-label': texts.webhook.header, maxlength: 100, data: { test: 'header-name' } });
    const value = el('input', {
      placeholder: isKnown ? texts.webhook.sameValue : texts.webhook.value,
      'aria-label': isKnown ? texts.webhook.newValue({ name: known }) : texts.webhook.headerValue,
      maxlength: 4096,
      data: { test: 'header-value' },
    });
    for (const one of [name, value]) set(one, 'autocomplete', one.matches('input') && 'off');
    const remove = iconButton('close', isKnown ? texts.files.remove({ name: known }) : texts.webhook.removeHeader, {
      data: { test: 'header-remove' },
      on: { click: () => this.#remove(row) },
    });
    const element = el('li', { class: 'header-row', data: { test: 'header', id: known } }, name, value, remove);
    const row = { name: () => (isKnown ? known : name.value.trim()), isKnown, value, element };
    this.#rows.push(row);
    this.list.append(element);
    return isKnown ? value : name;
  }

  #remove(row) {
    this.#rows = this.#rows.filter((one) => one !== row);
    row.element.remove();
    this.add.focus();
  }
}
