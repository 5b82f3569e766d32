/** The right-hand pane: a conversation's header, transcript, typing line and composer. The same for customer and desk. */
import { avatar, showAvatar } from './avatar.js';
import { ComposerView } from './composer-view.js';
import { ask, noteProblem } from './dialogs.js';
import { el, iconButton, place, set, setText, soon } from './dom.js';
import { ReadReporter } from './read-reporter.js';
import { TranscriptView } from './transcript-view.js';
import { TypingReporter } from './typing.js';

export class ConversationView {
  #conversation;
  #typing;

  /** @param {{back: () => void, actions: (thread: object) => HTMLElement[], closedNote: string,
   *           blank: Node[]}} options  `actions`: the header's buttons for a thread; `blank`: what is there when none is open */
  constructor({ back, actions, closedNote, blank }) {
    Object.assign(this, { back, actions, closedNote });
    this.reader = new ReadReporter(() => this.transcript.isAtBottom);
    this.transcript = new TranscriptView({
      actions: this.#messageActions(),
      onBottom: () => this.reader.consider(),
      onEmpty: () => this.composer.focus(),
    });
    this.composer = new ComposerView({
      send: (text) => this.#send(text),
      edit: (id, text) => this.#edit(id, text),
      changed: () => this.#typing?.changed(),
      editing: (id) => this.transcript.markEdited(id),
    });
    this.avatar = avatar();
    this.title = el('h2', { data: { test: 'conversation-title' } });
    this.subtitle = el('p', { class: 'subtitle', data: { test: 'conversation-subtitle' } });
    this.buttons = el('div', { class: 'header-actions' });
    this.typingLine = el('p', { class: 'typing', role: 'status', data: { test: 'typing' } });
    const header = el(
      'header',
      { class: 'conversation-header' },
      iconButton('back', 'Back to the list', { class: 'icon-button back', data: { test: 'back' }, on: { click: () => this.back() } }),
      this.avatar,
      el('div', { class: 'titles' }, this.title, this.subtitle),
      this.buttons,
    );
    this.pane = el('div', { class: 'conversation-pane' }, header, this.transcript.element, this.typingLine, this.composer.element);
    this.blank = el('div', { class: 'blank', data: { test: 'blank' } }, blank);
    this.element = el('section', { class: 'conversation', 'aria-label': 'Conversation' }, this.pane, this.blank);
    this.element.addEventListener('keydown', (event) => event.key === 'Escape' && !event.defaultPrevented && this.back());
    this.show(undefined);
  }

  /** @param {import('./conversation.js').Conversation|undefined} conversation */
  show(conversation) {
    this.#typing?.stop();
    this.#typing = undefined;
    this.#conversation = conversation;
    this.pane.hidden = !conversation;
    this.blank.hidden = !!conversation;
    this.reader.watch(conversation);
    if (!conversation) return;
    const { signal } = conversation.leave;
    const { side } = conversation;
    this.#typing = new TypingReporter((isTyping) => {
      const { thread } = conversation;
      if (thread && thread.state !== 'closed') side.typing(thread, isTyping).catch((error) => console.warn(error));
    });
    const render = soon(() => conversation === this.#conversation && this.#render());
    conversation.addEventListener('change', render, { signal });
    conversation.addEventListener('arrived', ({ detail }) => this.transcript.arrived(detail), { signal });
    this.transcript.show(conversation);
    this.composer.show(conversation.key);
    this.#render();
  }

  focusComposer() {
    this.composer.focus();
  }

  #render() {
    const { thread, side, typists } = this.#conversation;
    if (!thread) return;
    setText(this.title, side.title(thread));
    setText(this.subtitle, side.subtitle(thread));
    this.subtitle.hidden = !this.subtitle.textContent;
    showAvatar(this.avatar, side, thread);
    set(this.pane, 'data-thread', thread.id);
    place(this.buttons, this.actions(thread));
    this.transcript.render();
    const names = typists.authors.map((author) => author.name || (author.kind === 'customer' ? 'Customer' : 'Agent'));
    setText(this.typingLine, names.length ? `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} typing` : '');
    this.typingLine.classList.toggle('on', names.length > 0);
    this.composer.setClosed(thread.state === 'closed' ? this.closedNote : undefined);
    this.reader.consider();
  }

  #send(text) {
    this.#typing?.stop();
    this.#conversation.outbox.add(text);
    this.transcript.toBottom();
  }

  async #edit(id, text) {
    const conversation = this.#conversation;
    try {
      conversation.edited(await conversation.side.edit(conversation.thread, id, text));
    } catch (error) {
      noteProblem(error);
      // What was written must not be lost with a gateway that is away for a moment.
      if (conversation === this.#conversation) this.composer.startEdit(id, text);
    }
  }

  #messageActions() {
    return {
      edit: (id) => this.composer.startEdit(id, this.#conversation.list.get(id)?.text ?? ''),
      remove: (id) => this.#remove(id),
      retry: (id) => this.#conversation.outbox.retry(id),
      discard: (id) => this.#conversation.outbox.remove(id),
    };
  }

  async #remove(id) {
    const conversation = this.#conversation;
    const text = 'It disappears for both sides.';
    const question = { title: 'Delete this message?', text, submit: 'Delete', danger: true, test: 'delete' };
    const isSure = await ask(question);
    // A message that came meanwhile has taken the Tab stop, and with it the button that the dialog was opened by.
    if (document.activeElement === document.body) this.transcript.focus(id);
    if (!isSure) return;
    try {
      await conversation.side.remove(conversation.thread, id);
      conversation.removed(id);
    } catch (error) {
      if (error.status === 404) conversation.removed(id);
      else noteProblem(error);
    }
  }
}
