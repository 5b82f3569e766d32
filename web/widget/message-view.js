/** One message as an element. Made once for its id and then updated, so that focus and selection survive. */
import { el, set, setText } from './dom.js';
import { FilesView } from './files-view.js';
import { button, icon } from './icons.js';
import { RichView, isKnown, unknownText } from './rich-view.js';
import { textNodes } from './text-view.js';
import { lang, t } from './texts.js';
import { clock } from './times.js';

const SIGNS = { sending: 'clock', pending: 'clock', sent: 'check', delivered: 'check', seen: 'checks', failed: 'alert' };

export class MessageView {
  #text;
  #status;
  #shown; // {message, how}: what the element was last made from

  /** @param {string} id
   *  @param {{ticket: (id: string) => Promise<object>, retry: (id: string) => void, discard: (id: string) => void,
   *           cancelFile: (id: string, key: string) => void, answer: (answer: object) => void, name: (author: object) => string}} parts */
  constructor(id, parts) {
    this.parts = parts;
    this.author = el('span', { class: 'author', dir: 'auto' });
    this.files = new FilesView(parts.ticket, (key) => parts.cancelFile(id, key));
    this.rich = new RichView((answer) => parts.answer(answer));
    this.text = el('div', { class: 'text', dir: 'auto', data: { test: 'text' } });
    this.edited = el('span', { class: 'edited', hidden: true }, t('messages.edited'));
    this.time = el('time');
    this.mark = el('span', { class: 'mark', role: 'img', data: { test: 'mark' } });
    this.failed = el('span');
    this.failure = el(
      'div',
      { class: 'failure', hidden: true, data: { test: 'failure' } },
      this.failed,
      button('retry', t('marks.retry'), () => parts.retry(id)),
      button('discard', t('marks.discard'), () => parts.discard(id)),
    );
    this.element = el(
      'li',
      { class: 'message', data: { test: 'message', id } },
      this.author,
      el(
        'div',
        { class: 'bubble' },
        this.files.element,
        this.rich.element,
        this.text,
        el('span', { class: 'meta' }, this.edited, el('bdi', {}, this.time), this.mark),
      ),
      this.failure,
    );
  }

  /** @param {object} message @param {{isOwn: boolean, first: boolean, last: boolean, choice?: object, mayAnswer: boolean}} how */
  update(message, how) {
    // Lists put another object in place of what changed; what waits to be sent is a copy each time.
    const key = JSON.stringify(how);
    if (message === this.#shown?.message && key === this.#shown.how) return;
    this.#shown = { message, how: key };
    const { isOwn, first, last, choice, mayAnswer } = how;
    this.element.className = ['message', isOwn ? 'own' : 'other', first && 'first', last && 'last'].filter(Boolean).join(' ');
    Object.assign(this.element.dataset, { direction: isOwn ? 'toAgent' : 'toClient', status: message.status });
    const isBot = message.author?.kind === 'bot';
    const name = isOwn ? t('list.you') : this.parts.name(message.author);
    setText(this.author, isBot ? `${name} · ${t('messages.bot')}` : name);
    this.author.className = isOwn ? 'visually-hidden' : 'author'; // where one's own stand says whose they are
    this.author.hidden = !first;
    this.#showContent(message, choice, mayAnswer);
    this.edited.hidden = !message.editedAt || Boolean(message.isRemoved);
    set(this.time, 'datetime', message.createdAt);
    setText(this.time, clock(message.createdAt, lang()));
    setText(this.failed, t(message.files?.length ? 'files.failed' : 'marks.failed'));
    this.#showMark(isOwn && !message.isRemoved ? message.status : undefined);
  }

  #showContent(message, choice, mayAnswer) {
    this.element.classList.toggle('removed', Boolean(message.isRemoved));
    const shown = message.isRemoved ? { status: message.status } : message;
    this.files.update(shown);
    const isWhole = this.rich.update(shown, choice, mayAnswer);
    const text = message.isRemoved ? t('messages.removed') : isWhole ? '' : isKnown(message) ? (message.text ?? '') : unknownText(message);
    this.text.hidden = !text;
    if (text === this.#text) return; // a selection must not be lost
    this.#text = text;
    this.text.replaceChildren(...textNodes(text));
  }

  #showMark(status) {
    this.mark.hidden = !status;
    this.failure.hidden = status !== 'failed';
    if (!status || status === this.#status) return;
    this.#status = status;
    const name = status === 'pending' ? 'sending' : status;
    set(this.mark, 'aria-label', t(`marks.${name}`));
    set(this.mark, 'title', t(`marks.${name}`));
    this.mark.replaceChildren(icon(SIGNS[status] ?? 'check'));
  }
}
