/** One message as an element. Made once for its id and then updated, so that focus and selection survive. */
import { el, icon, iconButton, set, setText } from './dom.js';
import { fullTime, timeOfDay } from './format.js';

const MARKS = {
  pending: [undefined, 'Sending'], // the style draws a clock
  sent: ['check', 'Sent'],
  delivered: ['check', 'Delivered'],
  seen: ['checks', 'Seen'],
  failed: ['alert', 'Not sent'],
};

/** @typedef {{id: string, text?: string, createdAt: string, updatedAt?: string, editedAt?: string, status: string, direction: string,
 *             author: {name?: string}, attachments?: {name: string}[], error?: Error}} Shown */

export class MessageView {
  #shown; // {message, how}: what the element was last made from

  /** @param {string} id @param {{edit: Function, remove: Function, retry: Function, discard: Function}} actions */
  constructor(id, actions) {
    const button = (name, label, test) =>
      iconButton(name, label, { data: { test }, on: { click: () => actions[test](id) } });
    this.buttons = {
      edit: button('pencil', 'Edit', 'edit'),
      remove: button('bin', 'Delete', 'remove'),
    };
    this.author = el('span', { class: 'author' });
    this.text = el('p', { class: 'text' });
    this.edited = el('span', { class: 'edited' }, 'edited');
    this.time = el('time');
    this.mark = el('span', { class: 'mark', role: 'img', data: { test: 'mark' } });
    this.failure = el(
      'div',
      { class: 'failure' },
      el('span', { class: 'failure-text' }),
      el('button', { type: 'button', data: { test: 'retry' }, on: { click: () => actions.retry(id) } }, icon('retry'), 'Try again'),
      el('button', { type: 'button', data: { test: 'discard' }, on: { click: () => actions.discard(id) } }, icon('bin'), 'Remove'),
    );
    this.element = el(
      'li',
      { class: 'message', data: { test: 'message', id } },
      this.author,
      el(
        'div',
        { class: 'line' },
        el('div', { class: 'actions' }, this.buttons.edit, this.buttons.remove),
        el('div', { class: 'bubble' }, this.text, el('span', { class: 'meta' }, this.edited, this.time, this.mark)),
      ),
      this.failure,
    );
  }

  /** @param {Shown} message @param {{isOwn: boolean, isMe: boolean, first: boolean, last: boolean, mayEdit: boolean, mayRemove: boolean,
   *                                 isEditing: boolean}} how */
  update(message, how) {
    // Lists put another object in place of what changed; what waits to be sent changes in place, but is shown as a copy.
    if (this.#shown?.message === message && Object.keys(how).every((name) => how[name] === this.#shown.how[name])) return;
    this.#shown = { message, how };
    const { element } = this;
    const { isOwn, isMe, first, last, mayEdit, mayRemove, isEditing } = how;
    const classes = { own: isOwn, other: !isOwn, first, last, editing: isEditing };
    for (const [name, on] of Object.entries(classes)) element.classList.toggle(name, on);
    set(element, 'data-direction', message.direction);
    set(element, 'data-status', message.status);
    setText(this.author, message.author.name ?? '');
    this.author.hidden = isMe || !first || !message.author.name;
    const text = bodyText(message);
    this.text.classList.toggle('placeholder', text.isPlaceholder);
    setText(this.text, text.value);
    this.edited.hidden = !message.editedAt;
    setText(this.time, timeOfDay(message.createdAt));
    set(this.time, 'datetime', message.createdAt);
    set(this.time, 'title', fullTime(message.createdAt));
    this.#setMark(isOwn, message.status);
    this.buttons.edit.hidden = !mayEdit;
    this.buttons.remove.hidden = !mayRemove;
    this.failure.hidden = message.status !== 'failed';
    setText(this.failure.firstChild, message.error?.status ? (message.error.detail ?? 'Not sent.') : 'Not sent.');
  }

  #setMark(isOwn, status) {
    const [sign, name] = MARKS[status] ?? [undefined, status];
    this.mark.hidden = !isOwn;
    if (this.mark.title === name) return;
    this.mark.classList.toggle('clock', status === 'pending');
    this.mark.replaceChildren(...(sign ? [icon(sign)] : []));
    set(this.mark, 'aria-label', name);
    set(this.mark, 'title', name);
  }
}

function bodyText(message) {
  const files = (message.attachments ?? []).map((file) => file.name).join('\n');
  const value = [message.text, files].filter(Boolean).join('\n');
  return value ? { value, isPlaceholder: false } : { value: 'This kind of message cannot be shown here.', isPlaceholder: true };
}
