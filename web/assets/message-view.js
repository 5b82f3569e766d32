/** One message as an element. Made once for its id and then updated, so that focus and selection survive. */
import { AttachmentView } from './attachment-view.js';
import { el, icon, iconButton, set, setText } from './dom.js';
import { fullTime, summary, timeOfDay } from './format.js';
import { markupNodes } from './markup-view.js';
import { authorName } from './membership.js';
import { ReplyLine } from './reply-line.js';
import { RichContentView } from './rich-content-view.js';
import { problemText, texts } from './texts.js';

const SIGNS = { sent: 'check', delivered: 'check', seen: 'checks', failed: 'alert' }; // for `pending` the style draws a clock

/** @typedef {{id: string, text?: string, createdAt: string, updatedAt?: string, editedAt?: string, status: string,
 *             direction: string, type?: string, author: {name?: string}, attachments?: object[], files?: object[],
 *             replyInfo?: object, error?: Error}} Shown
 *  @typedef {{isOwn: boolean, isMe: boolean, isGroup?: boolean, first: boolean, last: boolean,
 *             mayEdit: boolean, mayRemove: boolean, mayReply: boolean, mayAnswer?: boolean,
 *             isEditing: boolean, isHighlighted: boolean, isReply: boolean, quote?: object, quoteAuthor?: string, showsReplies: boolean}} How
 *  `isReply`: it quotes another, as far as that is known (`quote`, by `quoteAuthor`) */

export class MessageView {
  #text; // as it was written
  #shown; // {message, how}: what the element was last made from

  /** The module `messageBubble`.
   *  @param {string} id @param {Record<'edit'|'remove'|'retry'|'discard'|'cancelFile'|'reply'|'openReplies'|'openQuote'|'answer',
   *  (id: string, more?: object|string) => void>} actions
   *  @param {{url: (id: string) => string, test?: string, tag?: string}} options  `url`: of an
   *  attachment; `test`: its hook */
  constructor(id, actions, { url, test = 'message', tag = 'li' }) {
    const button = (name, label, test) =>
      iconButton(name, label, { data: { test }, on: { click: () => actions[test](id) } });
    this.buttons = {
      reply: button('reply', texts.message.reply, 'reply'),
      edit: button('pencil', texts.message.edit, 'edit'),
      remove: button('bin', texts.message.delete, 'remove'),
    };
    this.actions = el('div', { class: 'actions' }, this.buttons.reply, this.buttons.edit, this.buttons.remove);
    this.author = el('span', { class: 'author', dir: 'auto' });
    this.quote = el(
      'button',
      { type: 'button', class: 'quote', hidden: true, data: { test: 'quote' }, on: { click: () => actions.openQuote(id) } },
      icon('reply'),
      el('span', { dir: 'auto' }),
    );
    this.files = new AttachmentView(url, (key) => actions.cancelFile(id, key));
    this.answer = (answer) => actions.answer(id, answer);
    this.text = el('div', { class: 'text', dir: 'auto' });
    this.edited = el('span', { class: 'edited' }, texts.message.edited);
    this.time = el('time');
    this.mark = el('span', { class: 'mark', role: 'img', data: { test: 'mark' } });
    this.failure = el(
      'div',
      { class: 'failure' },
      el('span', { class: 'failure-text' }),
      el('button', { type: 'button', data: { test: 'retry' }, on: { click: () => actions.retry(id) } }, icon('retry'), el('span')),
      el(
        'button',
        { type: 'button', data: { test: 'discard' }, on: { click: () => actions.discard(id) } },
        icon('bin'),
        texts.common.remove,
      ),
    );
    this.replies = new ReplyLine(() => actions.openReplies(id));
    this.element = el(
      tag,
      { class: 'message', data: { test, id } },
      this.author,
      this.quote,
      el(
        'div',
        { class: 'line' },
        this.actions,
        el(
          'div',
          { class: 'bubble' },
          this.files.element,
          this.text,
          el('span', { class: 'meta' }, this.edited, this.time, this.mark),
        ),
      ),
      this.failure,
      this.replies.element,
    );
  }

  /** @param {Shown} message @param {How} how */
  update(message, how) {
    // Lists put another object in place of what changed; what waits to be sent changes in place, but is shown as a copy.
    if (this.#shown?.message === message && Object.keys(how).every((name) => how[name] === this.#shown.how[name])) return;
    this.#shown = { message, how };
    const { element } = this;
    const { isOwn, isMe, isGroup, first, last, mayEdit, mayRemove, mayReply, isEditing, isHighlighted } = how;
    const isAdmin = message.type === 'admin';
    const isNote = message.type === 'note';
    const classes = {
      own: isOwn && !isAdmin && !isNote,
      other: !isOwn && !isAdmin && !isNote,
      admin: isAdmin,
      note: isNote,
      first,
      last,
      editing: isEditing,
      highlighted: isHighlighted,
    };
    for (const [name, on] of Object.entries(classes)) element.classList.toggle(name, on);
    set(element, 'data-direction', message.direction);
    set(element, 'data-status', message.status);
    const name = isGroup ? authorName(message.author) : (message.author.name ?? '');
    setText(this.author, isNote ? texts.notes.by({ name: isMe ? texts.common.you : authorName(message.author) }) : name);
    this.author.hidden = !isNote && (isMe || !first || !name || isAdmin);
    this.#setQuote(how);
    this.files.update(message);
    const isRich = this.#setRich(message, how);
    const text = bodyText(message);
    this.text.hidden = isRich;
    this.text.classList.toggle('placeholder', text.isPlaceholder);
    this.#setText(text.value);
    this.edited.hidden = !message.editedAt;
    setText(this.time, timeOfDay(message.createdAt));
    set(this.time, 'datetime', message.createdAt);
    set(this.time, 'title', fullTime(message.createdAt));
    this.#setMark(isOwn && !isAdmin && !isNote, message.status);
    this.buttons.reply.hidden = !mayReply;
    this.buttons.edit.hidden = !mayEdit;
    this.buttons.remove.hidden = !mayRemove;
    this.actions.hidden = !(mayReply || mayEdit || mayRemove);
    this.failure.hidden = message.status !== 'failed';
    setText(this.failure.firstChild, message.error?.status ? problemText(message.error, texts.message.unsent) : texts.message.unsent);
    setText(this.failure.querySelector('button span'), message.error?.again ?? texts.message.resend);
    this.failure.title = message.failure?.detail ?? '';
    this.replies.update(how.showsReplies ? message.replyInfo : undefined);
  }

  /** Only another text makes the elements anew: a selection must not be lost. */
  #setText(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.text.replaceChildren(...markupNodes(text));
  }

  /** Few messages are rich: the others do without the elements. */
  #setRich(message, { mayAnswer }) {
    if (!message.content && !this.rich) return false;
    if (!this.rich) this.text.before((this.rich = new RichContentView(this.answer)).element);
    return this.rich.update(message, Boolean(mayAnswer));
  }

  #setQuote({ isReply, quote, quoteAuthor }) {
    this.quote.hidden = !isReply;
    if (!isReply) return;
    setText(this.quote.lastChild, quoted(quote, quoteAuthor));
    this.quote.disabled = Boolean(quote?.unavailable);
  }

  #setMark(isOwn, status) {
    const name = texts.marks[status] ?? status;
    const sign = SIGNS[status];
    this.mark.hidden = !isOwn;
    if (this.mark.title === name) return;
    this.mark.classList.toggle('clock', status === 'pending');
    this.mark.replaceChildren(...(sign ? [icon(sign)] : []));
    set(this.mark, 'aria-label', name);
    set(this.mark, 'title', name);
  }
}

function quoted(quote, author) {
  if (!quote) return texts.message.reply;
  return quote.unavailable ? texts.message.removed : texts.message.quoted({ who: author, what: summary(quote) });
}

function bodyText(message) {
  const value = message.text ?? '';
  if (value || message.attachments?.length || message.files?.length) return { value, isPlaceholder: false };
  return { value: texts.message.notShown, isPlaceholder: true };
}
