/** Where one writes: Enter sends, Shift+Enter makes a new line, Escape ends an edit. */
import { el, icon, iconButton, set, setText } from './dom.js';
import { note } from './dialogs.js';

const MOST_BYTES = 65_536;

export class ComposerView {
  #drafts = new Map(); // conversation's key -> text
  #key;
  #editing; // {id, text} of the message that is being edited

  /** @param {{send: (text: string) => void, edit: (id: string, text: string) => void, changed: () => void,
   *           editing: (id: string|undefined) => void}} options  `editing`: which message is being edited now */
  constructor({ send, edit, changed, editing }) {
    Object.assign(this, { send, edit, changed, editing });
    this.input = el('textarea', {
      rows: 1,
      placeholder: 'Write a message',
      'aria-label': 'Message',
      data: { test: 'composer' },
      on: { keydown: (event) => this.#pressed(event), input: () => this.#input() },
    });
    this.button = el('button', { class: 'send', 'aria-label': 'Send', title: 'Send', data: { test: 'send' } }, icon('send'));
    const cancel = { data: { test: 'edit-cancel' }, on: { click: () => this.endEdit() } };
    this.bar = el('div', { class: 'edit-bar', hidden: true }, icon('pencil'), el('span', {}, 'Edit message'), iconButton('close', 'Cancel', cancel));
    const submit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    this.form = el('form', { class: 'composer', on: { submit } }, this.bar, el('div', { class: 'composer-row' }, this.input, this.button));
    this.closed = el('p', { class: 'closed-note', data: { test: 'closed-note' } });
    this.element = el('div', { class: 'composer-frame' }, this.form, this.closed);
  }

  /** Shows the draft of another conversation. */
  show(key) {
    if (this.#key !== undefined && !this.#editing) this.#drafts.set(this.#key, this.input.value);
    this.#key = key;
    this.#edits(undefined);
    this.#fill(this.#drafts.get(key) ?? '');
  }

  /** @param {string|undefined} reason  why nothing can be written, or undefined */
  setClosed(reason) {
    this.form.hidden = reason !== undefined;
    this.closed.hidden = reason === undefined;
    setText(this.closed, reason ?? '');
  }

  startEdit(id, text) {
    if (!this.#editing) this.#drafts.set(this.#key, this.input.value);
    this.#edits({ id, text });
    this.#fill(text);
    this.focus();
  }

  endEdit() {
    this.#edits(undefined);
    this.#fill(this.#drafts.get(this.#key) ?? '');
    this.focus();
  }

  focus() {
    this.input.focus();
  }

  #edits(what) {
    this.#editing = what;
    this.bar.hidden = !what;
    const label = what ? 'Save' : 'Send';
    set(this.button, 'aria-label', label);
    set(this.button, 'title', label);
    this.button.replaceChildren(icon(what ? 'check' : 'send'));
    this.editing(what?.id);
  }

  #pressed(event) {
    if (event.key === 'Escape' && this.#editing) {
      event.preventDefault();
      event.stopPropagation();
      this.endEdit();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault(); // isComposing: Enter only accepts what an input method proposes
      this.#submit();
    }
  }

  #input() {
    this.#grow();
    if (!this.#editing) this.changed();
  }

  #submit() {
    const text = this.input.value.trim();
    if (!text) return;
    if (new TextEncoder().encode(text).length > MOST_BYTES) return note('This message is too long: 64 KiB are allowed.');
    if (this.#editing) {
      const { id, text: before } = this.#editing;
      this.endEdit();
      if (text !== before) this.edit(id, text);
    } else {
      this.#drafts.delete(this.#key);
      this.#fill('');
      this.send(text);
    }
  }

  #fill(text) {
    this.input.value = text;
    this.#grow();
  }

  /** Only for browsers without `field-sizing`: there it follows line breaks, though not wrapped lines. */
  #grow() {
    this.button.disabled = !this.input.value.trim();
    if (!CSS.supports('field-sizing', 'content')) this.input.rows = Math.min(8, this.input.value.split('\n').length);
  }
}
