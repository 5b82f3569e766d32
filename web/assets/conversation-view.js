/** The main pane: a conversation's header, transcript, typing line and input. The same for customer and desk. */
import { avatar, showAvatar } from './avatar.js';
import { el, iconButton, place, set, setText, soon } from './dom.js';
import { listed } from './format.js';
import { InvitationBar } from './invitation-bar.js';
import { LiveBar } from './live-bar.js';
import { authorName, isInvited } from './membership.js';
import { MessagePane } from './message-pane.js';
import { ReadReporter } from './read-reporter.js';
import { texts } from './texts.js';
import { TypingReporter } from './typing.js';

export class ConversationView {
  #conversation;
  #typing;

  /** @param {{back: () => void, actions: (thread: object) => HTMLElement[], closedNote: () => string, blank: Node[],
   *           openReplies: (parent: object, start: object) => void, answer: (isAccepted: boolean) => Promise<void>,
   *           tools?: HTMLElement[], confirm?: (text: string) => Promise<boolean>|undefined, below?: HTMLElement[],
   *           changed?: () => void, sent?: () => void,
   *           live?: {answer: (answer: string) => Promise<void>, restart: () => Promise<void>,
   *                   mayRestart: () => boolean}}} options
   *  `actions`: the header's buttons for a thread; `blank`: what is there when none is open; `answer`: to an invitation;
   *  `tools`, `confirm`: of the input; `below`: what stands below the header; `changed`: something is typed; `sent`: and sent */
  constructor({
    back,
    actions,
    closedNote,
    blank,
    openReplies,
    answer,
    tools,
    confirm,
    below = [],
    changed = () => {},
    sent = () => {},
    live,
  }) {
    Object.assign(this, { back, actions });
    this.reader = new ReadReporter(() => this.transcript.isAtBottom);
    this.messages = new MessagePane({
      use: 'conversation',
      closedNote,
      tools,
      confirm,
      openReplies,
      onBottom: () => this.reader.consider(),
      changed: () => {
        this.#typing?.changed();
        changed();
      },
      sent: () => {
        this.#typing?.stop();
        sent();
      },
    });
    ({ transcript: this.transcript, composer: this.composer } = this.messages);
    this.avatar = avatar();
    this.title = el('h2', { dir: 'auto', data: { test: 'conversation-title' } });
    this.subtitle = el('p', { class: 'subtitle', dir: 'auto', data: { test: 'conversation-subtitle' } });
    this.buttons = el('div', { class: 'header-actions' });
    this.typingLine = el('p', { class: 'typing', role: 'status', data: { test: 'typing' } });
    this.invitation = new InvitationBar(answer);
    this.live = live && new LiveBar(live);
    this.mayRestart = live?.mayRestart;
    const header = el(
      'header',
      { class: 'conversation-header' },
      iconButton(
        'back',
        texts.common.back,
        { class: 'icon-button back', data: { test: 'back' }, on: { click: () => this.back() } },
      ),
      this.avatar,
      el('div', { class: 'titles' }, this.title, this.subtitle),
      this.buttons,
    );
    const { transcript, typingLine, invitation, composer } = this;
    const bars = [invitation.element, this.live?.element].filter(Boolean);
    const rows = [header, ...below, transcript.element, typingLine, ...bars, composer.element];
    this.pane = el('div', { class: 'conversation-pane' }, rows);
    this.messages.acceptDrops(this.pane);
    this.blank = el('div', { class: 'blank', data: { test: 'blank' } }, blank);
    this.element = el('section', { class: 'conversation', 'aria-label': texts.common.conversation }, this.pane, this.blank);
    this.element.addEventListener('keydown', (event) => event.key === 'Escape' && !event.defaultPrevented && this.back());
    this.show(undefined);
  }

  /** @param {import('./conversation.js').Conversation|undefined} conversation
   *  @param {import('./message-source.js').Start} [start] */
  show(conversation, start) {
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
    this.messages.show(conversation, start);
    this.#render();
  }

  /** Shows at once what else waits for the next frame. */
  refresh() {
    if (this.#conversation) this.#render();
  }

  /** Puts the focus on what can be done while no conversation is open. @returns {boolean}  whether that is anything */
  focusBlank() {
    const button = [...this.blank.querySelectorAll('button')].find((one) => one.checkVisibility());
    button?.focus();
    return Boolean(button);
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
    this.messages.render();
    this.invitation.update(thread);
    this.live?.update(thread, { mayRestart: this.mayRestart() });
    this.composer.element.hidden = isInvited(thread); // the invitation stands in its place
    const names = typists.authors.map(authorName);
    setText(this.typingLine, names.length ? texts.conversation.typing({ names: listed(names), count: names.length }) : '');
    this.typingLine.classList.toggle('on', names.length > 0);
    this.reader.consider();
  }
}
