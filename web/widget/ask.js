/** A question that must be answered before anything else: a dialog with two buttons. */
import { el } from './dom.js';
import { button } from './icons.js';
import { t } from './texts.js';

/** @param {{title: string, text?: string, yes: string}} question @returns {Promise<boolean>} */
export function ask({ title, text, yes }) {
  return new Promise((resolve) => {
    const heading = el('h2', { id: 'ask-title' }, title);
    const form = el(
      'form',
      { method: 'dialog', on: { submit: (event) => (event.preventDefault(), close(true)) } },
      heading,
      text && el('p', {}, text),
      el(
        'div',
        { class: 'buttons' },
        button('ask-no', t('menu.cancel'), () => close(false)),
        el('button', { class: 'primary', data: { test: 'ask-yes' } }, yes),
      ),
    );
    const dialog = el('dialog', { 'aria-labelledby': heading.id, data: { test: 'ask' } }, form);
    const close = (answer) => {
      resolve(answer);
      dialog.close();
    };
    dialog.addEventListener('close', () => (dialog.remove(), resolve(false)));
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector('button').focus();
  });
}
