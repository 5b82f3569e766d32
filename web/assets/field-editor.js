/** What a channel asks before a conversation, and what is noted of conversations and customers: a dialog for the desk. */
import { el, iconButton, place, setText } from './dom.js';
import { knownIdents, optionLines, readFields } from './field-drafts.js';
import { texts } from './texts.js';

const TYPES = [['text', texts.fields.text], ['email', texts.fields.email], ['list', texts.fields.list], ['tree', texts.fields.tree]];

/**
 * @param {{title: string, sections: {name: string, heading: string, add: string, label: string, about: string,
 *                                    asksRequired?: boolean, fields: object[]}[],
 *          save: (fields: Record<string, object[]>) => Promise<void>}} form
 *   `about`: sections about the same thing share one space of names; `save`: by section; what it throws is shown, and the dialog stays
 * @returns {Promise<boolean>}  whether it was saved
 */
export function editFields({ title, sections, save }) {
  return new Promise((resolve) => {
    let isSaved = false;
    let isSaving = false;
    const lists = sections.map(section);
    const heading = el('h2', { id: 'dialog-fields' }, title);
    const problem = el('p', { class: 'danger-text', role: 'alert', data: { test: 'fields-problem' } });
    const submit = el('button', { class: 'primary', data: { test: 'fields-submit' } }, texts.common.save);
    const cancel = { type: 'button', class: 'quiet', data: { test: 'fields-cancel' }, on: { click: () => isSaving || dialog.close() } };
    const form = el(
      'form',
      { method: 'dialog', on: { submit: (event) => (event.preventDefault(), send()) } },
      heading,
      lists.map(({ element }) => element),
      problem,
      el('div', { class: 'dialog-buttons' }, el('span', { class: 'spacer' }), el('button', cancel, texts.common.cancel), submit),
    );
    const dialog = el('dialog', { class: 'wide', 'aria-labelledby': heading.id, data: { test: 'fields-dialog' } }, form);

    async function send() {
      submit.disabled = isSaving = true;
      setText(problem, '');
      const rows = lists.map(({ read }) => read());
      const taken = {}; // by what sections are about
      lists.forEach(({ about }, at) => (taken[about] = new Set([...(taken[about] ?? []), ...knownIdents(rows[at])])));
      try {
        await save(Object.fromEntries(lists.map(({ name, about }, at) => [name, readFields(rows[at], taken[about])])));
        isSaved = true;
        dialog.close();
      } catch (error) {
        const [first] = error?.errors ?? [];
        setText(problem, first?.detail ?? error?.detail ?? texts.fields.unsaved);
      } finally {
        submit.disabled = isSaving = false;
      }
    }

    dialog.addEventListener('cancel', (event) => isSaving && event.preventDefault());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(isSaved);
    });
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector('input') ?? dialog.querySelector('button')).focus();
  });
}

function section({ name, heading, add, label, about, asksRequired, fields }) {
  let rows = [];
  const list = el('ul', { class: 'field-rows' });
  const show = () => place(list, rows.map(({ element }) => element));
  const begin = (known) => {
    const made = row(name, label, asksRequired, known, () => {
      rows = rows.filter((one) => one !== made);
      show();
      more.focus();
    });
    rows.push(made);
    return made;
  };
  const more = el(
    'button',
    { type: 'button', class: 'quiet', data: { test: `add-${name}` }, on: { click: () => addRow() } },
    add,
  );
  function addRow() {
    const made = begin();
    show();
    made.element.querySelector('input').focus();
  }
  fields.forEach(begin);
  show();
  const element = el('fieldset', { class: 'field-section' }, el('legend', {}, heading), list, more);
  return { name, about, element, read: () => rows.map(({ read }) => read()) };
}

function row(name, says, asksRequired, known, remove) {
  const label = el('input', {
    value: known?.label ?? '', required: true, maxlength: 256, pattern: '.*\\S.*', autocomplete: 'off', 'aria-label': says,
    data: { test: `${name}-label` },
  });
  const options = el('textarea', {
    rows: 4, required: true, 'aria-label': texts.fields.options, data: { test: `${name}-options` },
  });
  options.value = optionLines(known?.options);
  const hint = el('small', {});
  const choices = el('div', { class: 'field-choices' }, options, hint);
  const type = el(
    'select',
    { 'aria-label': texts.fields.kind, data: { test: `${name}-type` }, on: { change: () => fit() } },
    TYPES.map(([key, text]) => el('option', { value: key, selected: key === known?.type }, text)),
  );
  const needed = el('input', { type: 'checkbox', checked: known?.isRequired, data: { test: `${name}-required` } });
  const isNeeded = asksRequired && el('label', { class: 'check' }, needed, texts.fields.required);
  const gone = iconButton('close', texts.fields.remove, { data: { test: `${name}-remove` }, on: { click: remove } });
  function fit() {
    const hasOptions = type.value === 'list' || type.value === 'tree';
    choices.hidden = !hasOptions;
    options.disabled = !hasOptions;
    setText(hint, type.value === 'tree' ? texts.fields.treeHint : texts.fields.optionsHint);
  }
  fit();
  const element = el('li', { class: 'field-row', data: { test: `${name}-row` } }, label, type, isNeeded, gone, choices);
  const read = () => ({ label: label.value, type: type.value, isRequired: needed.checked, options: options.value, known });
  return { element, read };
}
