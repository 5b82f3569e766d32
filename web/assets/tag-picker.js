/** Which tags a conversation has: a dialog with a field that narrows the list, and makes a tag that is not there yet. */
import { ask, noteProblem } from './dialogs.js';
import { el, iconButton, place, set } from './dom.js';
import { mayManage } from './login.js';
import { COLOURS } from './tag-book.js';
import { texts } from './texts.js';

const MOST = 20; // of one conversation
const LONGEST = 40;

const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** @param {import('./tag-book.js').TagBook} book @param {string[]} given  ids @param {{adds?: boolean}} [how]  `adds`: to what there is
 *  @returns {Promise<string[]|undefined>}  undefined: all stays as it is */
export function pickTags(book, given, { adds = false } = {}) {
  return new Promise((resolve) => {
    let answer;
    const chosen = new Set(given);
    const heading = el('h2', { id: 'dialog-tags' }, adds ? texts.tags.add : texts.tags.title);
    const field = el('input', {
      type: 'search', maxlength: LONGEST, autocomplete: 'off', dir: 'auto', placeholder: texts.tags.find, 'aria-label': texts.tags.find,
      data: { test: 'tag-find' },
    });
    const list = el('ul', { class: 'tag-list', 'aria-label': texts.tags.title });
    const none = el('p', { data: { test: 'no-tags' } }, texts.tags.none);
    const maker = el('button', { type: 'button', class: 'quiet', hidden: true, data: { test: 'tag-make' } });
    const rows = new Map(); // id -> element

    function row({ id, name, colour = 'grey' }) {
      const known = rows.get(id) ?? made(id);
      const [label, edit] = known.children;
      const [box, chip] = label.children;
      box.checked = chosen.has(id);
      box.disabled = !box.checked && chosen.size >= MOST;
      chip.textContent = name;
      set(chip, 'data-colour', colour);
      if (edit) for (const attribute of ['aria-label', 'title']) set(edit, attribute, texts.tags.change({ name }));
      return known;
    }
    function made(id) {
      const change = () => {
        if (!chosen.delete(id)) chosen.add(id);
        render();
      };
      const box = el('input', { type: 'checkbox', data: { test: 'tag-box', id }, on: { change } });
      const edit = () => editTag(book, book.list().find((one) => one.id === id)).catch(noteProblem);
      const button = mayManage() && iconButton('pencil', '', { data: { test: 'tag-edit', id }, on: { click: edit } });
      const element = el('li', {}, el('label', {}, box, el('span', { class: 'chip', dir: 'auto' })), button);
      rows.set(id, element);
      return element;
    }
    function render() {
      const typed = fold(field.value.trim());
      const all = book.list();
      place(list, all.filter(({ name }) => fold(name).includes(typed)).map(row));
      none.hidden = all.length > 0;
      maker.hidden = !mayManage() || !typed || all.some(({ name }) => fold(name) === typed);
      maker.textContent = texts.tags.make({ name: field.value.trim() });
    }
    async function make() {
      const name = field.value.trim();
      const tag = await book.add({ name, colour: COLOURS[book.list().length % COLOURS.length] });
      chosen.add(tag.id);
      field.value = '';
      render();
      field.focus();
    }
    maker.addEventListener('click', () => make().catch(noteProblem));
    field.addEventListener('input', render);
    field.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        list.querySelector('input')?.focus();
      } else if (event.key === 'Enter' && field.value.trim()) {
        // Enter takes the first that fits; with an empty field it is done, as everywhere.
        event.preventDefault();
        const first = list.querySelector('input');
        if (first && !first.disabled) {
          first.click();
          field.value = '';
          render();
        } else if (!maker.hidden) maker.click();
      }
    });
    list.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const boxes = [...list.querySelectorAll('input')];
      const at = boxes.indexOf(document.activeElement);
      if (!step || at < 0) return;
      event.preventDefault();
      (boxes[at + step] ?? (step < 0 ? field : boxes[at])).focus();
    });
    const end = new AbortController();
    const submit = (event) => {
      event.preventDefault();
      answer = [...chosen];
      dialog.close();
    };
    const cancel = { type: 'button', class: 'quiet', data: { test: 'tags-cancel' }, on: { click: () => dialog.close() } };
    const dialog = el(
      'dialog',
      { 'aria-labelledby': heading.id, data: { test: 'tags-dialog' } },
      el(
        'form',
        { method: 'dialog', on: { submit } },
        heading,
        field,
        list,
        none,
        maker,
        el(
          'div',
          { class: 'dialog-buttons' },
          el('span', { class: 'spacer' }),
          el('button', cancel, texts.common.cancel),
          el('button', { class: 'primary', data: { test: 'tags-submit' } }, texts.common.save),
        ),
      ),
    );
    book.addEventListener('change', render, { signal: end.signal });
    dialog.addEventListener('close', () => {
      end.abort();
      dialog.remove();
      resolve(answer);
    });
    render();
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}

/** Changes a tag for all conversations, or removes it from all. */
async function editTag(book, { id, name, colour = 'grey' }) {
  const answer = await ask({
    title: texts.tags.change({ name }),
    submit: texts.common.save,
    test: 'tag',
    extra: { label: texts.common.remove, value: 'remove', danger: true },
    fields: [
      { name: 'name', label: texts.common.name, value: name, required: true, maxLength: LONGEST, pattern: '.*\\S.*' },
      { name: 'colour', label: texts.tags.colour, value: colour, options: COLOURS.map((one) => [one, texts.tags.colours[one]]) },
    ],
  });
  if (!answer) return;
  if (answer.extra) return removeTag(book, id, name);
  await book.change(id, answer);
}

async function removeTag(book, id, name) {
  const question = { title: texts.tags.removeTitle({ name }), text: texts.tags.removeHint, submit: texts.common.remove, danger: true, test: 'remove-tag' };
  if (await ask(question)) await book.remove(id);
}
