/** How this agent wants the desk: switches that hold at once. */
import { noteProblem } from './dialogs.js';
import { el } from './dom.js';
import { showKeySheet } from './key-sheet.js';
import { texts } from './texts.js';

/** @param {import('./person-settings.js').PersonSettings} settings @param {import('./desk-sounds.js').DeskSounds} sounds */
export function showDeskSettings(settings, sounds) {
  const heading = el('h2', { id: 'dialog-settings' }, texts.settings.title);
  const choices = [
    ['away', texts.settings.away, texts.settings.awayHint],
    ['next', texts.settings.next, texts.settings.nextHint],
    ['soundWaiting', texts.settings.soundWaiting],
    ['soundMine', texts.settings.soundMine],
    ['keys', texts.settings.keys, texts.settings.keysHint],
  ];
  const row = ([name, label, hint]) => {
    const change = () => {
      if (name.startsWith('sound') && box.checked) {
        sounds.wake();
        setTimeout(() => sounds.play(), 100); // so that it is known
      }
      settings.set({ [name]: box.checked }).catch(noteProblem);
    };
    const id = `setting-${name}`;
    const box = el('input', {
      type: 'checkbox', id, checked: settings.get(name), 'aria-describedby': hint && `${id}-hint`, data: { test: id }, on: { change },
    });
    return el('li', {}, el('label', { class: 'check', for: id }, box, label), hint && el('small', { id: `${id}-hint`, class: 'muted' }, hint));
  };
  const close = el('button', { type: 'button', class: 'primary', data: { test: 'settings-close' }, on: { click: () => dialog.close() } }, texts.common.done);
  const keys = {
    type: 'button',
    class: 'quiet',
    data: { test: 'settings-keys' },
    on: { click: () => (dialog.close(), showKeySheet(settings)) },
  };
  const dialog = el(
    'dialog',
    { 'aria-labelledby': heading.id, data: { test: 'settings-dialog' } },
    heading,
    el('ul', { class: 'settings' }, choices.map(row)),
    el('div', { class: 'dialog-buttons' }, el('button', keys, texts.keys.title), el('span', { class: 'spacer' }), close),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('input').focus();
}
