/** A person's own views of the list: each a name for what was chosen. */
import { noteProblem } from './dialogs.js';
import { el, iconButton, place } from './dom.js';
import { LONGEST_VIEW, withView } from './saved-views.js';
import { texts } from './texts.js';

/** @param {import('./person-settings.js').PersonSettings} settings @param {() => Omit<import('./saved-views.js').View, 'name'>} current
 *  @param {(view: import('./saved-views.js').View) => void} show */
export function showViews(settings, current, show) {
  const heading = el('h2', { id: 'dialog-views' }, texts.views.title);
  const list = el('ul', { class: 'answers', 'aria-label': texts.views.title });
  const none = el('p', {}, texts.views.none);
  const keep = (views) => settings.set({ views }).catch(noteProblem);

  function row(view) {
    const { name } = view;
    const use = () => {
      dialog.close();
      show(view);
    };
    const remove = () => {
      keep(settings.get('views').filter((one) => one.name !== name));
      field.focus();
    };
    return el(
      'li',
      {},
      el('button', { type: 'button', class: 'answer', data: { test: 'view', id: name }, on: { click: use } }, el('strong', { dir: 'auto' }, name)),
      iconButton('close', texts.files.remove({ name }), { data: { test: 'view-remove' }, on: { click: remove } }),
    );
  }

  const field = el('input', {
    id: 'view-name', required: true, maxlength: LONGEST_VIEW, pattern: '.*\\S.*', autocomplete: 'off', dir: 'auto', data: { test: 'view-name' },
  });
  const submit = (event) => {
    event.preventDefault();
    keep(withView(settings.get('views'), { ...current(), name: field.value }));
    field.value = '';
  };
  const form = el(
    'form',
    { class: 'own-time', on: { submit } },
    el('div', { class: 'field' }, el('label', { for: field.id }, texts.views.keep), field),
    el('button', { class: 'primary', data: { test: 'view-keep' } }, texts.common.save),
  );
  const close = { type: 'button', class: 'quiet', data: { test: 'views-close' }, on: { click: () => dialog.close() } };
  const dialog = el(
    'dialog',
    { 'aria-labelledby': heading.id, data: { test: 'views-dialog' } },
    heading,
    none,
    list,
    form,
    el('div', { class: 'dialog-buttons' }, el('span', { class: 'spacer' }), el('button', close, texts.common.done)),
  );
  function render() {
    const views = settings.get('views').filter((one) => typeof one?.name === 'string');
    place(list, views.map(row));
    none.hidden = views.length > 0;
  }
  const end = new AbortController();
  settings.addEventListener('change', render, { signal: end.signal });
  dialog.addEventListener('close', () => (end.abort(), dialog.remove()));
  render();
  document.body.append(dialog);
  dialog.showModal();
  (list.querySelector('button') ?? field).focus();
}
