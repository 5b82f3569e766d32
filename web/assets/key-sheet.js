/** Which keys there are: a sheet that lists them, and the switch for those of one letter. */
import { el } from './dom.js';
import { texts } from './texts.js';

/** [keys, what they do], by group. */
const sheet = () => [
  [texts.keys.inList, [
    [['j', 'k'], texts.keys.step], [['↵'], texts.keys.open], [['/'], texts.keys.search], [['g w'], texts.keys.waiting],
    [['g m'], texts.keys.mine], [['g o'], texts.keys.all], [['x'], texts.keys.choose], [['⇧ x'], texts.keys.range],
  ]],
  [texts.keys.inConversation, [
    [['r'], texts.keys.reply], [['n'], texts.keys.note], [['a'], texts.desk.assign], [['u'], texts.desk.release], [['e'], texts.desk.close],
    [['o'], texts.keys.reopen], [['z'], texts.keys.snooze], [['t'], texts.keys.tags], [['?'], texts.keys.help],
  ]],
  [texts.keys.inField, [
    [['/', texts.keys.controlK], texts.keys.saved], [['↵', texts.keys.controlEnter], texts.common.send], [['⇧ ↵'], texts.keys.line],
    [[texts.keys.escape], texts.keys.leave],
  ]],
];

/** @param {import('./person-settings.js').PersonSettings} settings */
export function showKeySheet(settings) {
  const heading = el('h2', { id: 'dialog-keys' }, texts.keys.title);
  const keys = (names) => names.flatMap((name, at) => [at > 0 && ' ', el('kbd', {}, name)]);
  const group = ([title, rows]) =>
    el(
      'section',
      {},
      el('h3', {}, title),
      el('dl', { class: 'keys' }, rows.flatMap(([names, words]) => [el('dt', {}, keys(names)), el('dd', {}, words)])),
    );
  const change = () => settings.set({ keys: box.checked }).catch((error) => console.warn(error));
  const box = el('input', { type: 'checkbox', id: 'keys-on', checked: settings.get('keys'), data: { test: 'keys-on' }, on: { change } });
  const close = el('button', { type: 'button', class: 'primary', data: { test: 'keys-close' }, on: { click: () => dialog.close() } }, texts.common.done);
  const dialog = el(
    'dialog',
    { class: 'wide', 'aria-labelledby': heading.id, data: { test: 'keys-dialog' } },
    heading,
    el('div', { class: 'key-groups' }, sheet().map(group)),
    el('label', { class: 'check', for: box.id }, box, texts.settings.keys),
    el('div', { class: 'dialog-buttons' }, el('span', { class: 'spacer' }), close),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}
