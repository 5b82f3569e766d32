/** The line at the top: whose chat it is, whether somebody is there, and what can be done. */
import { el, place, set, setText, show } from './dom.js';
import { button, iconButton } from './icons.js';
import { t } from './texts.js';

export class HeadView {
  #entries = () => [];

  /** @param {{back: () => void, close?: () => void, end: () => void, entries: () => {hook: string, label: string, run: () => void}[]}} parts
   *  `close`: only in a frame; `entries`: what the menu has now */
  constructor({ back, close, end, entries }) {
    this.#entries = entries;
    this.back = iconButton('back', t('head.back'), { hidden: true, data: { test: 'back' }, on: { click: back } });
    this.logo = el('img', { class: 'logo', alt: '', hidden: true });
    this.title = el('h1', { dir: 'auto' });
    this.status = el('p', { class: 'status', dir: 'auto', data: { test: 'status' } });
    this.end = button('end', t('queue.end'), end, 'head-button');
    this.end.hidden = true;
    this.more = iconButton('more', t('head.menu'), {
      'aria-expanded': 'false', 'aria-controls': 'menu', data: { test: 'menu' }, on: { click: () => this.#toggle(this.menu.hidden) },
    });
    this.menu = el('ul', { class: 'menu', id: 'menu', hidden: true, on: { keydown: (event) => this.#key(event) } });
    const closer = close && iconButton('close', t('head.close'), { data: { test: 'close' }, on: { click: close } });
    this.element = el(
      'header',
      { class: 'head' },
      this.back,
      this.logo,
      el('div', { class: 'head-words' }, this.title, this.status),
      this.end,
      el('div', { class: 'menu-box', on: { focusout: (event) => this.#left(event) } }, this.more, this.menu),
      closer,
    );
    document.addEventListener('pointerdown', (event) => this.menu.parentElement.contains(event.target) || this.#toggle(false));
  }

  /** @param {{name?: string, logo?: string, status?: string, mayGoBack: boolean, mayEnd: boolean}} shown */
  render({ name, logo, status, mayGoBack, mayEnd }) {
    setText(this.title, name ? t('head.title', { name }) : t('launcher.label'));
    show(this.status, status);
    this.logo.hidden = !logo;
    if (logo) set(this.logo, 'src', logo);
    this.back.hidden = !mayGoBack;
    this.end.hidden = !mayEnd;
    this.more.hidden = this.#entries().length === 0;
  }

  /** Whether Escape belongs to the menu. */
  get isOpen() {
    return !this.menu.hidden;
  }

  #toggle(isOpen) {
    const entry = ({ hook, label, run }) => el('li', {}, button(hook, label, () => (this.#toggle(false), run())));
    if (isOpen) place(this.menu, this.#entries().map(entry));
    this.menu.hidden = !isOpen;
    set(this.more, 'aria-expanded', String(isOpen));
    if (isOpen) this.menu.querySelector('button')?.focus();
  }

  #left({ relatedTarget }) {
    if (this.isOpen && relatedTarget && !this.menu.parentElement.contains(relatedTarget)) this.#toggle(false);
  }

  #key(event) {
    const all = [...this.menu.querySelectorAll('button')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      all.at((all.indexOf(document.activeElement) + step) % all.length)?.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      this.#toggle(false);
      this.more.focus();
    }
  }
}
