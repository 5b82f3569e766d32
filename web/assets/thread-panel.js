/** The panel with the replies to one message: header, the message itself, the replies, an input. On both pages. */
import { el, setText, soon } from './dom.js';
import { replyCount } from './format.js';
import { MessagePane } from './message-pane.js';
import { modules as standing } from './modules.js';
import { texts } from './texts.js';

export class ThreadPanel {
  #replies;
  #parent; // {id, view} of the message on top

  /** The module `threadPanel`.
   *  @param {{close: () => void, toParent: () => void, closedNote: () => string,
   *           modules?: import('./modules.js').ModuleSet}} options
   *  `toParent`: shows the message in its conversation; `modules`: what makes the parts */
  constructor({ close, toParent, closedNote, modules = standing }) {
    this.modules = modules;
    this.messages = new MessagePane({ use: 'thread', closedNote, modules });
    ({ transcript: this.transcript, composer: this.composer } = this.messages);
    this.header = modules.make('threadHeader', 'thread', { close, toParent });
    this.parent = el(
      'div',
      { class: 'panel-parent', role: 'group', 'aria-label': texts.replies.parent, tabindex: 0, data: { test: 'panel-parent' } },
    );
    this.count = el('p', { class: 'panel-count', data: { test: 'panel-count' } });
    this.element = el(
      'section',
      { class: 'panel', 'aria-label': texts.replies.title, hidden: true, data: { test: 'panel' } },
      this.header.element,
      this.parent,
      this.count,
      this.transcript.element,
      this.composer.element,
    );
    this.messages.acceptDrops(this.element);
    modules.applyTheme(this.element, 'thread');
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      close();
    });
  }

  /** @param {import('./conversation.js').Conversation|undefined} replies @param {import('./message-source.js').Start} [start] */
  show(replies, start) {
    this.#replies = replies;
    this.element.hidden = !replies;
    if (!replies) return;
    const render = soon(() => replies === this.#replies && this.#render());
    replies.addEventListener('change', render, { signal: replies.leave.signal });
    this.#parent = undefined;
    this.parent.replaceChildren();
    this.messages.show(replies, start);
    this.#render();
  }

  /** Moves the focus to where the user continues: to the input, or to the reply that it was opened for. */
  focus(start) {
    if (!start || start.at === 'newest') this.composer.focus();
    else this.parent.focus();
  }

  #render() {
    const { parent, thread, side } = this.#replies;
    if (!thread) return;
    this.header.update({ name: side.title(thread) });
    const count = parent.replyInfo?.count ?? 0;
    this.count.hidden = count === 0;
    setText(this.count, replyCount(count, Infinity));
    this.composer.setPlaceholder(count === 0 ? texts.replies.first : texts.replies.further);
    if (parent.author) this.#showParent(parent, side, thread);
    this.messages.render();
  }

  #showParent(parent, side, thread) {
    if (this.#parent?.id !== parent.id) {
      const url = (attachment) => side.attachmentURL(thread, attachment);
      const view = this.modules.make('messageBubble', 'thread', parent.id, {}, { url, test: 'panel-parent-message', tag: 'div' });
      this.#parent = { id: parent.id, view };
      this.parent.replaceChildren(view.element);
    }
    this.#parent.view.update(parent, { isOwn: false, isMe: false, first: true, last: true, showsReplies: false });
  }
}
