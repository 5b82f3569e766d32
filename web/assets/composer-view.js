/** Where one writes: Enter sends, Shift+Enter makes a new line, Escape ends an edit. Files are chosen or pasted. */
import { el, icon, iconButton, set, setText } from './dom.js';
import { note } from './dialogs.js';
import { Drafts } from './drafts.js';
import { accepted, refusal } from './file-rules.js';
import { FileTray } from './file-tray.js';
import { texts } from './texts.js';

const MOST_BYTES = 65_536;
const REST = 300; // ms after the last key, then the draft is kept

export class ComposerView {
  #drafts;
  #files = new Map(); // key -> File[], which no browser keeps over a reload
  #isChanged = false; // whether the draft that is kept is another
  #timer;
  #key;
  #editing; // {id, text} of the message that is being edited

  #mayAttach = false;
  #fileRules;

  /** The module `input`. @param {{send: (text: string, files: File[]) => void, edit: (id: string, text: string) => void,
   *    changed: () => void, editing: (id: string|undefined) => void, use?: 'conversation'|'thread',
   *    drafts?: Drafts, tools?: HTMLElement[], confirm?: (text: string) => Promise<boolean>|undefined}} options
   *  `editing`: which message is being edited now; `tools`: more buttons beside the input; `confirm`: asks
   *  before a text is sent, if there is anything to ask */
  constructor({ send, edit, changed, editing, use = 'conversation', drafts = new Drafts(), tools = [], confirm = () => undefined }) {
    Object.assign(this, { send, edit, changed, editing, confirm });
    this.#drafts = drafts;
    const hook = use === 'thread' ? 'panel-' : '';
    this.input = el('textarea', {
      rows: 1,
      dir: 'auto',
      placeholder: texts.composer.placeholder,
      'aria-label': texts.composer.label,
      data: { test: `${hook}composer` },
      on: { keydown: (event) => this.#pressed(event), input: () => this.#input(), paste: (event) => this.#pasted(event) },
    });
    this.tray = new FileTray(() => this.#grow(), hook);
    const chosen = () => {
      this.addFiles([...this.picker.files]);
      this.picker.value = '';
    };
    this.picker = el(
      'input',
      {
        type: 'file',
        multiple: true,
        hidden: true,
        tabindex: -1,
        'aria-label': texts.composer.attach,
        data: { test: `${hook}file-input` },
        on: { change: chosen },
      },
    );
    this.attach = iconButton(
      'clip',
      texts.composer.attach,
      { class: 'icon-button attach', hidden: true, data: { test: `${hook}attach` }, on: { click: () => this.picker.click() } },
    );
    this.button = el(
      'button',
      { class: 'send', 'aria-label': texts.common.send, title: texts.common.send, data: { test: `${hook}send` } },
      icon('send'),
    );
    const cancel = { data: { test: `${hook}edit-cancel` }, on: { click: () => this.endEdit() } };
    this.bar = el(
      'div',
      { class: 'edit-bar', hidden: true },
      icon('pencil'),
      el('span', {}, texts.composer.edit),
      iconButton('close', texts.common.cancel, cancel),
    );
    const submit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    this.problem = el('p', { class: 'composer-problem', role: 'alert', hidden: true, data: { test: `${hook}composer-problem` } });
    const row = el('div', { class: 'composer-row' }, this.attach, this.picker, tools, this.input, this.button);
    this.form = el('form', { class: 'composer', on: { submit } }, this.bar, this.tray.element, this.problem, row);
    this.closed = el('p', { class: 'closed-note', data: { test: `${hook}closed-note` } });
    this.element = el('div', { class: 'composer-frame' }, this.form, this.closed);
    addEventListener('pagehide', () => this.#keep());
    document.addEventListener('visibilitychange', () => this.#keep());
  }

  /** Shows the draft of another conversation. @param {string} key  as `draftKey` makes it */
  show(key) {
    this.#keep();
    this.#key = key;
    this.#edits(undefined);
    this.#restore();
  }

  /** A conversation is called otherwise from now on: what is written goes along. @param {string} from @param {string} to */
  move(from, to) {
    this.#keep();
    this.#drafts.set(to, this.#drafts.get(from));
    this.#drafts.set(from, '');
    this.#files.set(to, this.#files.get(from));
    this.#files.delete(from);
    if (this.#key === from) this.#key = to;
  }

  /** What is written, without blanks around it. */
  get text() {
    return this.input.value.trim();
  }

  /** Puts a text where the keyboard is, in place of what is selected. */
  insert(text) {
    const { selectionStart, selectionEnd } = this.input;
    this.input.setRangeText(text, selectionStart, selectionEnd, 'end');
    this.#input();
    this.focus();
  }

  /** Says something of what is written, until it is changed. @param {string} words @param {string} [part]  is selected */
  warn(words, part) {
    this.#complain([words]);
    const at = part === undefined ? -1 : this.input.value.indexOf(part);
    if (at >= 0) this.input.setSelectionRange(at, at + part.length);
  }

  /** What stands there while nothing is written. */
  setPlaceholder(text) {
    set(this.input, 'placeholder', text);
    set(this.input, 'aria-label', text);
  }

  /** Whether files may go along. */
  setMayAttach(may) {
    this.#mayAttach = may;
    this.attach.hidden = !may || Boolean(this.#editing);
  }

  /** Which files may go. @param {import('./file-rules.js').FileRestrictions} [rules] */
  setFileRules(rules) {
    this.#fileRules = rules;
    set(this.picker, 'accept', accepted(rules));
  }

  /** Puts files beside the text, to go with it. Says why of those that cannot. @param {File[]} files */
  addFiles(files) {
    if (!this.#mayAttach || this.#editing || !files.length) return;
    const problems = new Map(files.map((file) => [file, refusal(file, this.#fileRules)]));
    this.tray.add(files.filter((file) => !problems.get(file)));
    this.#complain([...problems.values()].filter(Boolean));
    this.focus();
  }

  /** @param {string|undefined} reason  why nothing can be written, or undefined */
  setClosed(reason) {
    this.form.hidden = reason !== undefined;
    this.closed.hidden = reason === undefined;
    setText(this.closed, reason ?? '');
  }

  startEdit(id, text) {
    this.#keep();
    this.#edits({ id, text });
    this.#fill(text);
    this.focus();
  }

  endEdit() {
    this.#edits(undefined);
    this.#restore();
    this.focus();
  }

  focus() {
    this.input.focus();
  }

  /** Only what was changed here: another tab may have written on. */
  #keep() {
    clearTimeout(this.#timer);
    if (this.#key === undefined || this.#editing) return;
    this.#files.set(this.#key, this.tray.files);
    if (this.#isChanged) this.#drafts.set(this.#key, this.input.value);
    this.#isChanged = false;
  }

  #restore() {
    this.#fill(this.#drafts.get(this.#key), this.#files.get(this.#key));
  }

  #edits(what) {
    this.#editing = what;
    this.bar.hidden = !what;
    this.attach.hidden = Boolean(what) || !this.#mayAttach;
    const label = what ? texts.common.save : texts.common.send;
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

  #complain(problems = []) {
    this.problem.hidden = problems.length === 0;
    setText(this.problem, problems.join('\n'));
  }

  #input() {
    this.#grow();
    this.#complain();
    if (this.#editing) return;
    this.#isChanged = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), REST);
    this.changed();
  }

  #pasted(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length || !this.#mayAttach) return;
    event.preventDefault();
    this.addFiles(files);
  }

  #submit() {
    const text = this.input.value.trim();
    const { files } = this.tray;
    if (!text && (!files.length || this.#editing)) return;
    if (new TextEncoder().encode(text).length > MOST_BYTES) return note(texts.composer.tooLong);
    if (this.#editing) {
      const { id, text: before } = this.#editing;
      this.endEdit();
      if (text !== before) this.edit(id, text);
      return;
    }
    const asked = this.confirm(text);
    if (!asked) return this.#sendNow(text, files);
    const key = this.#key;
    asked.then((isSure) => {
      // What was asked about is sent, or nothing.
      if (isSure && key === this.#key && text === this.text) this.#sendNow(text, files);
      else this.focus();
    });
  }

  #sendNow(text, files) {
    this.#drafts.set(this.#key, '');
    this.#fill('');
    this.#isChanged = false;
    this.#keep();
    this.send(text, files);
  }

  #fill(text, files = []) {
    this.#complain();
    this.input.value = text;
    this.tray.set(files); // which grows too
  }

  /** Only for browsers without `field-sizing`: there it follows line breaks, though not wrapped lines. */
  #grow() {
    this.button.disabled = !this.input.value.trim() && (!this.tray.files.length || Boolean(this.#editing));
    if (!CSS.supports('field-sizing', 'content')) this.input.rows = Math.min(8, this.input.value.split('\n').length);
  }
}
