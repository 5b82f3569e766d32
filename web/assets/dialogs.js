/** Questions to the user, and short notes that something went wrong. */
import { el, place } from './dom.js';
import { problemText, texts } from './texts.js';

/**
 * Asks in a modal dialog. Resolves to the fields' values, or to null when the user leaves it (Escape, Cancel).
 *
 * @param {{title: string, text?: string, problem?: string, submit: string, danger?: boolean, test: string, extra?: {label: string, value: string, danger?: boolean},
 *   fields?: {name: string, label: string, value?: string, required?: boolean, maxLength?: number, pattern?: string,
 *             hint?: string, options?: [string, string][], suggestions?: [string, string][], type?: string, problem?: string,
 *             data?: string, element?: HTMLElement}[]}} question  `problem`: what was wrong with the last answer, or with a
 *   field's value; `element`: in place of a field, whose values it keeps for itself; `extra`: another button, or several, for which the answer is {extra: value}
 * @returns {Promise<Record<string, string>|null>}
 */
export function ask({ title, text, problem, submit, danger, test, extra, fields = [] }) {
  return new Promise((resolve) => {
    let answer = null;
    const inputs = fields.map(input);
    const heading = el('h2', { id: `dialog-${test}` }, title);
    const end = (value) => () => ((answer = value), dialog.close());
    const form = el(
      'form',
      {
        method: 'dialog',
        on: {
          submit: (event) => {
            event.preventDefault();
            answer = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
            dialog.close();
          },
        },
      },
      heading,
      text && el('p', {}, text),
      fields.some(({ required }) => required) && fields.length > 1 && el('p', { class: 'muted', 'aria-hidden': 'true' }, texts.common.required),
      problem && el('p', { class: 'danger-text', role: 'alert', data: { test: `${test}-problem` } }, problem),
      inputs,
      el(
        'div',
        { class: 'dialog-buttons' },
        [extra ?? []].flat().map(({ label, value, danger }) => button(label, danger ? 'quiet danger-text' : 'quiet', `${test}-${value}`, end({ extra: value }))),
        el('span', { class: 'spacer' }),
        button(texts.common.cancel, 'quiet', `${test}-cancel`, end(null)),
        el('button', { class: danger ? 'primary danger' : 'primary', data: { test: `${test}-submit` } }, submit),
      ),
    );
    const dialog = el('dialog', { 'aria-labelledby': heading.id, data: { test: `${test}-dialog` } }, form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    const first = dialog.querySelector('[aria-invalid]') ?? dialog.querySelector('input, select, textarea');
    first?.focus();
    first?.select?.(); // a list of options has no text
  });
}

function button(label, style, test, click) {
  return el('button', { type: 'button', class: style, data: { test }, on: { click } }, label);
}

function input({ name, label, value = '', required, maxLength, pattern, hint, options, suggestions, type, problem, data, element }) {
  const id = `field-${name}`;
  const list = suggestions && `${id}-suggestions`;
  const attributes = {
    id,
    name,
    required,
    maxlength: maxLength,
    pattern,
    autocomplete: 'off',
    data: { test: `field-${name}`, ident: data },
  };
  const wrong = problem && el('small', { class: 'danger-text', id: `${id}-problem`, role: 'alert' }, problem);
  if (problem) Object.assign(attributes, { 'aria-invalid': 'true', 'aria-describedby': `${id}-problem` });
  if (element) return el('div', { class: 'field' }, element, wrong);
  const control = options
    ? el('select', attributes, options.map(([key, text]) => el('option', { value: key, selected: key === value }, text)))
    : type === 'lines'
      ? el('textarea', { ...attributes, dir: 'auto', rows: 5 }, value)
      : el('input', { ...attributes, dir: 'auto', type, value, title: hint, list });
  const proposals = (suggestions ?? []).map(([key, text]) => el('option', { value: key }, text));
  const proposed = suggestions && el('datalist', { id: list }, proposals);
  // Who hears the page is told by the field itself that it is needed.
  const mark = required && el('span', { class: 'required', 'aria-hidden': 'true' }, ' *');
  return el('div', { class: 'field' }, el('label', { for: id }, label, mark), control, proposed, hint && el('small', {}, hint), wrong);
}

const notes = el('div', { class: 'notes', role: 'alert', data: { test: 'notes' } });

/** Shows a note for some seconds. @param {string} text */
export function note(text) {
  if (!notes.isConnected) document.body.append(notes);
  if ([...notes.children].some((one) => one.textContent === text)) return;
  const line = el('p', {}, text);
  place(notes, [...notes.children, line]);
  setTimeout(() => line.remove(), 6000);
}

/** Shows an error to the user, unless the banner shows it already (no answer from the gateway). */
export function noteProblem(error) {
  console.warn(error);
  if (error?.status === 0) return;
  note(problemText(error));
}
