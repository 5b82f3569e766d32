/** A conversation on the screen: what was said, a live chat's place, the rating, the field. */
import { el, set, setText } from './dom.js';
import { ComposerView } from './composer-view.js';
import { button } from './icons.js';
import { LiveBar } from './live-bar.js';
import { RatingView } from './rating-view.js';
import { TranscriptView } from './transcript-view.js';
import { t } from './texts.js';

export class ChatView {
  #ratedThread;

  /** @param {object} parts  those of its own parts, and `again`: another conversation; `choose`: an entry of the channel's menu */
  constructor(parts) {
    this.transcript = new TranscriptView(parts.transcript);
    this.live = new LiveBar(parts.live);
    this.rating = new RatingView(parts.rating);
    this.composer = new ComposerView(parts.composer);
    this.endedText = el('p');
    this.again = button('again', '', parts.again, 'primary');
    this.ended = el('div', { class: 'ended', hidden: true, data: { test: 'ended' } }, this.endedText, this.again);
    this.notice = el('p', { class: 'consent-note muted', hidden: true });
    this.drop = el('div', { class: 'drop', hidden: true }, t('files.drop'));
    this.element = el(
      'div',
      { class: 'screen chat', data: { test: 'chat' } },
      this.transcript.element,
      this.live.element,
      this.rating.element,
      this.ended,
      this.composer.element,
      this.notice,
      this.drop,
    );
    this.#takeDrops();
  }

  /** @param {{name: string, isLive: boolean, thread?: object, mayWrite: boolean}} shown */
  render({ name, isLive, thread, mayWrite }) {
    const isClosed = name === 'closed' || name === 'rating';
    if (name === 'rating' && this.#ratedThread !== thread?.id) this.rating.clear();
    this.#ratedThread = thread?.id;
    this.rating.element.hidden = name !== 'rating';
    this.live.update(isLive ? thread : undefined);
    this.ended.hidden = !isClosed;
    const words = [t(isLive ? 'queue.ended' : 'composer.ended'), mayWrite && t('composer.reopenHint')];
    setText(this.endedText, words.filter(Boolean).join(' '));
    setText(this.again, t(isLive ? 'queue.again' : 'start.new'));
    this.again.hidden = mayWrite;
    const { element } = this.composer;
    const hadFocus = element.contains(document.activeElement);
    element.hidden = isClosed && !mayWrite;
    if (hadFocus && element.hidden) this.again.focus({ preventScroll: true });
  }

  /** The greeting of an empty conversation, with what the channel offers. @param {string} [text] @param {HTMLElement[]} [offers] */
  greet(text, offers = []) {
    const { greeting } = this.transcript;
    set(greeting, 'hidden', !text);
    if (text) greeting.replaceChildren(el('p', { dir: 'auto' }, text), ...(offers.length ? [el('div', { class: 'offers' }, offers)] : []));
  }

  #takeDrops() {
    const hasFiles = (event) => event.dataTransfer?.types.includes('Files') && !this.composer.attach.hidden && !this.composer.element.hidden;
    const show = (isOver) => (this.drop.hidden = !isOver);
    this.element.addEventListener('dragover', (event) => hasFiles(event) && (event.preventDefault(), show(true)));
    this.element.addEventListener('dragleave', (event) => this.element.contains(event.relatedTarget) || show(false));
    this.element.addEventListener('drop', (event) => {
      show(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.composer.add(event.dataTransfer.files);
    });
  }
}
