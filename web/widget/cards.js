/** Screens with one message and a button or two: the consent, nobody there, who is this, nothing goes on. */
import { el, place, setText } from './dom.js';
import { button } from './icons.js';
import { isOfTheWeb, link } from './text-view.js';
import { around, t } from './texts.js';

/** One text and its buttons. */
export class Card {
  /** @param {string} name  for styles and tests */
  constructor(name) {
    this.text = el('p', { tabindex: '-1' });
    this.buttons = el('div', { class: 'buttons' });
    this.element = el('div', { class: `screen card ${name}`, data: { test: name } }, this.text, this.buttons);
  }

  /** @param {string|(string|Node)[]} text @param {HTMLElement[]} buttons */
  show(text, buttons = []) {
    if (typeof text === 'string') setText(this.text, text);
    else this.text.replaceChildren(...text);
    place(this.buttons, buttons);
  }

  focus() {
    this.text.focus({ preventScroll: true });
  }
}

/** @param {{url?: string}} consent @param {{agree: () => void, decline: () => void}} actions */
export function consentCard({ url }, { agree, decline }) {
  const card = new Card('consent');
  card.show(consentText(url), [
    button('decline', t('consent.decline'), decline),
    button('agree', t('consent.agree'), agree, 'primary'),
  ]);
  return card;
}

/** The sentence with its link. @param {string} [url] */
export function consentText(url) {
  const words = t('consent.link');
  return around('consent.text', 'link', isOfTheWeb(url) ? link(url, words, { data: { test: 'privacy' } }) : words);
}
