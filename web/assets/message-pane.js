/** A transcript with the input below it, and what one can do with its messages: the same for a conversation and for the replies
 *  to a message. */
import { ask, noteProblem } from './dialogs.js';
import { draftKey } from './drafts.js';
import { acceptDrops } from './file-tray.js';
import { isInvited, mayWrite } from './membership.js';
import { modules as standing } from './modules.js';
import { texts } from './texts.js';

export class MessagePane {
  /** @type {import('./conversation.js').Conversation|undefined} */
  conversation;

  /** @param {{use: import('./modules.js').Use, closedNote: () => string, onBottom?: () => void, changed?: () => void,
   *           sent?: () => void, tools?: HTMLElement[], confirm?: (text: string) => Promise<boolean>|undefined, modules?: import('./modules.js').ModuleSet,
   *           openReplies?: (parent: object, start: import('./message-source.js').Start) => void}} options
   *  `changed`: somebody types; `tools`, `confirm`: of the input; `modules`: what makes the parts */
  constructor({
    use,
    closedNote,
    tools,
    confirm,
    modules = standing,
    onBottom = () => {},
    changed = () => {},
    sent = () => {},
    openReplies = () => {},
  }) {
    Object.assign(this, { use, closedNote, sent, openReplies });
    this.transcript = modules.make('list', use, {
      actions: this.#actions(),
      bubble: (...parts) => modules.make('messageBubble', use, ...parts),
      onBottom,
      onEmpty: () => this.composer.focus(),
      use,
    });
    this.composer = modules.make('input', use, {
      send: (text, files) => this.#send(text, files),
      edit: (id, text) => this.#edit(id, text),
      changed,
      editing: (id) => this.transcript.markEdited(id),
      use,
      tools,
      confirm,
    });
  }

  /** Lets files be dropped on the element that holds the pane. */
  acceptDrops(element) {
    acceptDrops(element, () => this.#mayAttach(), (files) => this.composer.addFiles(files));
  }

  /** @param {import('./conversation.js').Conversation} conversation @param {import('./message-source.js').Start} [start] */
  show(conversation, start) {
    this.conversation = conversation;
    const arrived = ({ detail }) => this.transcript.arrived(detail);
    conversation.addEventListener('arrived', arrived, { signal: conversation.leave.signal });
    this.transcript.show(conversation, start);
    const { side, key, parent, formerKey } = conversation;
    const draft = draftKey(side.scope, key, parent?.id);
    if (formerKey) this.composer.move(draftKey(side.scope, formerKey, parent?.id), draft);
    this.composer.show(draft);
  }

  render() {
    const { thread } = this.conversation;
    this.transcript.render();
    const invited = isInvited(thread) ? texts.replies.join : undefined;
    this.composer.setClosed(thread?.state === 'closed' ? this.closedNote() : invited);
    this.composer.setMayAttach(this.#mayAttach());
    this.composer.setFileRules(thread && this.conversation.side.fileRules?.(thread));
  }

  /** Shows a message in the middle, loading what is around it if need be. @param {import('./message-source.js').Start} start */
  async goTo(start) {
    const { conversation } = this;
    if (!conversation.list.loaded || !conversation.list.has(start.id)) await conversation.load(start);
    if (conversation === this.conversation) this.transcript.goTo(start);
  }

  #mayAttach() {
    const { thread, side } = this.conversation ?? {};
    return mayWrite(thread) && side.mayAttach(thread);
  }

  #send(text, files, more) {
    this.sent();
    this.conversation.outbox.add(text, files, { ...more, ...this.conversation.side.sending?.(this.conversation) });
    this.transcript.toBottom();
  }

  #actions() {
    const item = (id) => this.conversation.list.get(id);
    const parentOf = (id) => this.conversation.quoted(item(id).parentId) ?? { id: item(id).parentId };
    return {
      edit: (id) => this.composer.startEdit(id, item(id)?.text ?? ''),
      remove: (id) => (this.conversation.notes?.has(id) ? this.#removeNote(id) : this.#remove(id)),
      answer: (id, { text, postback }) => this.#send(text, [], { postback }),
      retry: (id) => this.#retry(id),
      discard: (id) => this.#discard(id),
      cancelFile: (id, key) => this.conversation.outbox.cancelFile(id, key),
      reply: (id) => this.openReplies(item(id), { at: 'newest' }),
      openReplies: (id) => this.openReplies(item(id), { at: 'first' }),
      openQuote: (id) => this.openReplies(parentOf(id), { at: Date.parse(item(id).createdAt), id }),
    };
  }

  #isWaiting(id) {
    return this.conversation.outbox.items.some((one) => one.id === id);
  }

  /** Not what has been sent while its buttons were still on show. */
  #hasFailed(id) {
    return this.conversation.list.failed.some((one) => one.id === id);
  }

  /** Sends a message again. It failed either here, on the way to the gateway, or there, on the way to its service. */
  #retry(id) {
    const { outbox, side, thread } = this.conversation;
    if (this.#isWaiting(id)) return outbox.retry(id);
    if (this.#hasFailed(id)) side.resend(thread, id).catch(noteProblem);
  }

  #discard(id) {
    const { outbox, side, thread } = this.conversation;
    if (this.#isWaiting(id)) return outbox.remove(id);
    if (this.#hasFailed(id)) side.remove(thread, id).catch(noteProblem);
  }

  async #edit(id, text) {
    const { conversation } = this;
    try {
      conversation.edited(await conversation.side.edit(conversation.thread, id, text));
    } catch (error) {
      noteProblem(error);
      // The text must not be lost when the gateway does not answer for a moment.
      if (conversation === this.conversation) this.composer.startEdit(id, text);
    }
  }

  async #removeNote(id) {
    const { conversation } = this;
    const question = { title: texts.notes.removeTitle, text: texts.notes.removeHint, submit: texts.message.delete, danger: true, test: 'delete-note' };
    const isSure = await ask(question);
    if (document.activeElement === document.body) this.transcript.focus(id);
    if (isSure) await conversation.notes.remove(id).catch(noteProblem);
  }

  async #remove(id) {
    const { conversation } = this;
    const text = texts.message.deleteHint;
    const question = { title: texts.message.deleteTitle, text, submit: texts.message.delete, danger: true, test: 'delete' };
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
