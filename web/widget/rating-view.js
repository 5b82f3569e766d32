/** How it was: five scores as a group of radio buttons, and a comment. */
import { el } from './dom.js';
import { button } from './icons.js';
import { t } from './texts.js';

export class RatingView {
  /** @param {{rate: (body: {score: number, comment?: string}) => Promise<void>, skip: () => void}} parts */
  constructor({ rate, skip }) {
    const words = { 'aria-label': t('rating.comment'), placeholder: t('rating.comment') };
    this.comment = el('textarea', { rows: 2, maxlength: 2000, dir: 'auto', ...words, data: { test: 'rating-comment' } });
    this.send = el('button', { class: 'primary', disabled: true, data: { test: 'rating-send' } }, t('rating.send'));
    const scores = [1, 2, 3, 4, 5].map((score) => this.#score(score));
    this.form = el(
      'form',
      { on: { submit: (event) => (event.preventDefault(), this.#submit(rate)) } },
      el(
        'fieldset',
        {},
        el('legend', {}, t('rating.title')),
        el('div', { class: 'scores' }, scores),
        el('p', { class: 'ends', 'aria-hidden': 'true' }, el('span', {}, t('rating.low')), el('span', {}, t('rating.high'))),
      ),
      this.comment,
      el('div', { class: 'buttons' }, button('rating-skip', t('rating.skip'), skip), this.send),
    );
    this.element = el('div', { class: 'rating', data: { test: 'rating' } }, this.form);
  }

  /** Empty, for another conversation. */
  clear() {
    this.form.reset();
    this.send.disabled = true;
  }

  #score(score) {
    const chosen = { change: () => (this.send.disabled = false) };
    const input = el('input', { type: 'radio', name: 'score', value: score, class: 'visually-hidden', data: { test: 'score' }, on: chosen });
    const end = { 1: t('rating.low'), 5: t('rating.high') }[score];
    const name = [t('rating.score', { count: score }), end].filter(Boolean).join(', ');
    const spoken = el('span', { class: 'visually-hidden' }, name);
    return el('label', { class: 'score' }, input, el('span', { 'aria-hidden': 'true' }, String(score)), spoken);
  }

  async #submit(rate) {
    const score = Number(new FormData(this.form).get('score'));
    const comment = this.comment.value.trim();
    this.send.disabled = true;
    await rate({ score, ...(comment && { comment }) }).catch(() => (this.send.disabled = false));
  }
}
