/** The field in which a message is written, with the files that go along. */
import { el, place, set, show } from './dom.js';
import { accepted, refusal } from './files.js';
import { icon, iconButton } from './icons.js';
import { lang, t } from './texts.js';
import { fileSize } from './times.js';

const MOST_BYTES = 16 * 1024; // of a visitor's message
const MOST_FILES = 30;

export class ComposerView {
  #files = [];
  #rules;
  #parts;
  #timer;

  /** @param {{send: (what: {text: string, files: File[]}) => void, changed: (text: string) => void, left: () => void,
   *           say: (text: string) => void}} parts  `left`: the field has lost the keyboard; `say`: to screen readers */
  constructor(parts) {
    this.#parts = parts;
    this.field = el('textarea', {
      rows: 1,
      id: 'composer',
      'aria-label': t('composer.label'),
      placeholder: t('composer.placeholder'),
      enterkeyhint: 'send',
      dir: 'auto',
      data: { test: 'composer' },
      on: {
        input: () => this.#input(),
        keydown: (event) => this.#key(event),
        paste: (event) => this.#paste(event),
        blur: () => parts.left(),
      },
    });
    this.problem = el('p', { class: 'problem', id: 'composer-problem', hidden: true, data: { test: 'composer-problem' } });
    const chosen = { change: () => this.#chosen() };
    this.input = el('input', { type: 'file', multiple: true, hidden: true, tabindex: '-1', data: { test: 'file-input' }, on: chosen });
    this.attach = iconButton('clip', t('composer.attach'), { data: { test: 'attach' }, on: { click: () => this.input.click() } });
    this.send = iconButton('send', t('composer.send'), { type: 'submit', class: 'icon-button send', data: { test: 'send' } });
    this.tray = el('ul', { class: 'tray', hidden: true });
    this.element = el(
      'form',
      { class: 'composer', on: { submit: (event) => (event.preventDefault(), this.#submit()) } },
      this.problem,
      this.tray,
      el('div', { class: 'composer-row' }, this.attach, this.input, this.field, this.send),
    );
    this.#show();
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    if (this.field.value !== text) this.field.value = text;
    this.#fit();
    this.#show();
  }

  /** Puts words back before what is there. @param {string} text */
  putBack(text) {
    if (text) this.text = [text, this.text].filter(Boolean).join('\n');
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  /** What the channel takes; `isAttachmentsEnabled: false`: no files. */
  set rules(rules) {
    this.#rules = rules;
    this.attach.hidden = rules?.isAttachmentsEnabled === false;
    set(this.input, 'accept', accepted(rules));
  }

  /** @param {string} [text]  undefined: nothing is wrong any more */
  complain(text) {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#complain(text);
    if (text) this.#parts.say(text);
  }

  /** Nothing can be sent for so long. @param {number} seconds */
  wait(seconds) {
    const end = performance.now() + seconds * 1000;
    this.complain(t('composer.waitingLimit', { seconds }));
    this.#timer = setInterval(() => {
      const left = Math.ceil((end - performance.now()) / 1000);
      if (left <= 0) this.complain();
      else this.#complain(t('composer.waitingLimit', { seconds: left }));
    }, 1000);
    this.#show();
  }

  /** Takes files, chosen, pasted or dropped. @param {Iterable<File>} files */
  add(files) {
    if (this.attach.hidden) return;
    const problems = [];
    for (const file of files) {
      const why = refusal(file, this.#rules, (bytes) => fileSize(bytes, lang()));
      if (why) problems.push(t(...why));
      else if (this.#files.length < MOST_FILES) this.#files.push(file);
    }
    this.complain(problems.join(' ') || undefined);
    this.#showTray();
    this.focus();
  }

  #complain(text) {
    show(this.problem, text);
    set(this.field, 'aria-describedby', text && this.problem.id);
    set(this.field, 'aria-invalid', text && 'true');
    this.#show();
  }

  #submit() {
    const text = this.text.trim();
    if (this.#timer || (!text && this.#files.length === 0)) return;
    if (new TextEncoder().encode(text).length > MOST_BYTES) {
      return this.complain(t('composer.tooLong', { limit: fileSize(MOST_BYTES, lang()) }));
    }
    const files = this.#files;
    this.#files = [];
    this.text = '';
    this.complain();
    this.#showTray();
    this.#parts.send({ text, files });
    this.focus();
  }

  #input() {
    if (!this.#timer && !this.problem.hidden) this.complain();
    this.#fit();
    this.#show();
    this.#parts.changed(this.text);
  }

  /** Enter sends, but where fingers write it is a new line; never while a word is composed. */
  #key(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    if (matchMedia('(pointer: coarse)').matches && !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#submit();
  }

  #paste(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length || this.attach.hidden) return;
    event.preventDefault();
    this.add(files);
  }

  #chosen() {
    this.add(this.input.files);
    this.input.value = '';
  }

  #showTray() {
    const rows = this.#files.map((file, at) =>
      el(
        'li',
        { class: 'file', data: { test: 'tray-file' } },
        icon('file'),
        el('span', { class: 'file-name', dir: 'auto' }, file.name),
        el('bdi', { class: 'file-size' }, fileSize(file.size, lang())),
        iconButton('close', t('files.cancel', { name: file.name }), { on: { click: () => this.#drop(at) } }),
      ),
    );
    place(this.tray, rows);
    this.tray.hidden = rows.length === 0;
    this.#show();
  }

  #drop(at) {
    this.#files.splice(at, 1);
    this.#showTray();
    this.focus();
  }

  #show() {
    this.send.disabled = Boolean(this.#timer) || (!this.text.trim() && this.#files.length === 0);
  }

  /** As high as its text. Browsers that know `field-sizing` do it themselves. */
  #fit() {
    if (CSS.supports('field-sizing', 'content')) return;
    this.field.style.setProperty('height', 'auto');
    this.field.style.setProperty('height', `${Math.min(this.field.scrollHeight + 2, 160)}px`);
  }
}
