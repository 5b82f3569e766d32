/**
 * The frame both pages share: sidebar and conversation, side by side or, on a phone, as two screens; the address bar says
 * which conversation is open, so that it can be linked to and the browser's Back leads to the list.
 */
import { banner } from './banner.js';
import { ConversationView } from './conversation-view.js';
import { note, noteProblem } from './dialogs.js';
import { el, soon } from './dom.js';
import { modules, takeOnce } from './modules.js';
import { SearchView } from './search-view.js';
import { signedIn } from './sign-in.js';
import { problemText, texts } from './texts.js';
import { ThreadListView } from './thread-list-view.js';
import { ThreadPanel } from './thread-panel.js';

const PHONE = matchMedia('(max-width: 719px)');
const SIDE_BY_SIDE = matchMedia('(min-width: 1100px)'); // as in chat.css
const NO_REPLIES = { message: undefined, from: undefined };

export class Workspace {
  #standing; // the thread panel, unless another one was asked for one time

  /** @type {import('./inbox.js').Inbox|undefined} */
  inbox;

  /** @param {{title: string, parley: import('../parley.js').Parley, stream: import('./shared-stream.js').SharedStream,
   *           header: HTMLElement[], footer: HTMLElement[], list: object, conversation: object,
   *           beside?: {element: HTMLElement, attach: (inbox: object) => void},
   *           start: () => Promise<void>, unread?: () => number}} parts
   *  `list`, `conversation`: options of the views; `beside`: what stands beside a conversation where there is room; `header`, `footer`: what stands above and below the list;
   *  `start`: loads the page's contents, once the browser is signed in; `unread`: how much is unread in all, if that is known
   *  better than by the threads that are loaded */
  constructor({ title, parley, stream, header, footer, list, conversation, beside, start, unread }) {
    Object.assign(this, { title, parley, stream, beside, start, unread });
    this.list = new ThreadListView({ ...list, open: (key) => this.open(key) });
    const openReplies = (parent, from) => this.openReplies(parent, from);
    const answer = (isAccepted) => this.guard((thread) => this.#answer(thread, isAccepted));
    this.view = new ConversationView({ ...conversation, back: () => this.back(), openReplies, answer });
    this.closedNote = conversation.closedNote;
    this.panel = this.#standing = this.#makePanel(modules);
    this.search = new SearchView({
      open: (found) => this.guard(() => this.#openFound(found)),
      openThread: (key) => this.guard(() => this.open(key)),
      toggled: (isOn) => (this.list.element.hidden = isOn),
    });
    const aside = el(
      'aside',
      { class: 'sidebar', 'aria-label': texts.common.conversations },
      el('header', { class: 'sidebar-header' }, header),
      this.search.box,
      this.search.results,
      this.list.element,
      el('footer', { class: 'sidebar-footer' }, footer),
    );
    // Seen by all in the sidebar, which a phone does not always show: so the heading stands here.
    const heading = el('h1', { class: 'visually-hidden' }, title);
    this.main = el('main', { class: 'workspace' }, heading, aside, this.view.element, this.panel.element, beside?.element ?? '');
    this.element = el('div', { class: 'app' }, banner(stream), this.main);
    modules.applyTheme(document.documentElement, 'conversation');
    stream.addEventListener('failed', ({ detail }) => detail.status === 401 && this.#signInAgain());
    addEventListener('popstate', () => this.guard(() => this.follow()));
  }

  /** Puts the page up and brings it to life. */
  async run() {
    document.body.append(this.element);
    // Who is not signed in learns it from the first answer.
    await this.guard(this.start);
    document.body.dataset.ready = 'true'; // for whoever drives the page
  }

  /** Runs what the user asked for, on the thread that is open; says so when it fails.
   *  @param {(thread?: import('../parley.js').ChatThread) => Promise<void>} action */
  async guard(action) {
    try {
      await action(this.inbox?.conversation?.thread);
    } catch (error) {
      if (error?.status === 401) return this.#signInAgain();
      console.warn(error);
      note(problemText(error, texts.common.failed));
    }
  }

  /** The cookie is no good any more: wait for another, then take up where we were. */
  async #signInAgain() {
    await signedIn(this.parley);
    await new Promise((resolve) => setTimeout(resolve, 500)); // never a busy loop, should the gateway contradict itself
    await this.stream.retry();
    await (this.inbox ? this.inbox.reload() : this.guard(this.start));
  }

  /** Shows another inbox: another channel's, say. */
  attach(inbox) {
    this.inbox?.close();
    this.inbox = inbox;
    inbox.addEventListener('open', ({ detail }) => this.#opened(detail));
    inbox.addEventListener('replies', ({ detail }) => this.#openedReplies(detail));
    inbox.addEventListener('gone', () => {
      setLink(NO_REPLIES, true);
      note(texts.conversation.parentGone);
    });
    inbox.addEventListener('removed', () => {
      setLink({ thread: undefined, ...NO_REPLIES }, true);
      note(texts.conversation.gone);
      this.list.focus();
    });
    inbox.addEventListener('change', soon(() => inbox === this.inbox && this.count()));
    inbox.addEventListener('problem', ({ detail }) => (detail.status === 401 ? this.#signInAgain() : noteProblem(detail)));
    this.list.attach(inbox);
    this.beside?.attach(inbox);
    this.search.attach(inbox);
    this.#opened();
  }

  /** Shows no inbox any more: another is chosen. */
  detach() {
    this.inbox?.close();
    this.inbox = undefined;
    this.list.detach();
    this.search.attach(undefined);
    this.#opened();
  }

  /** Opens a conversation as the user's own step: it gets a place in the browser's history. */
  async open(key, { replace = false, start } = {}) {
    const before = this.inbox.conversation;
    const opening = this.inbox.open(key, start);
    await Promise.resolve();
    await (this.inbox.index.get(key) ? undefined : opening);
    const { conversation } = this.inbox;
    setLink({ thread: conversation?.thread.id, ...(conversation !== before && !replace && NO_REPLIES) }, replace);
    if (conversation && !PHONE.matches) this.view.focusComposer();
    await opening;
  }

  /** Shows none any more, as the user's own step. */
  async leave() {
    setLink({ thread: undefined, ...NO_REPLIES });
    await this.inbox.open(undefined);
    this.list.focus();
  }

  /** To an invitation; who declines leaves, as the event says. */
  async #answer(thread, isAccepted) {
    const { side } = this.inbox;
    if (!isAccepted) return side.leave(thread);
    this.inbox.put(await side.join(thread));
    this.view.refresh();
    if (!PHONE.matches) this.view.focusComposer();
  }

  /** Opens what the address says, if anything. */
  async openLinked() {
    if (!linked()) return;
    await this.open(this.inbox.index.keysOf(linked())[0] ?? linked(), { replace: true });
    await this.follow();
  }

  /** Opens the replies to a message of the open conversation, as the user's own step.
   *  @param {{id: string}} parent @param {import('./message-source.js').Start} start */
  async openReplies(parent, start) {
    setLink({ message: parent.id, from: start.at === 'first' ? '0' : start.at === 'newest' ? undefined : String(start.at) });
    await this.guard(() => this.inbox.openReplies(parent, start));
  }

  /** Leaves the replies; the keyboard goes back to their message. */
  closeReplies() {
    const { replies } = this.inbox;
    setLink(NO_REPLIES);
    this.inbox.closeReplies();
    if (replies) this.view.transcript.focus(replies.parent.id);
  }

  /** Puts the keyboard where one goes on: into the open conversation (not on a phone, whose keyboard would come up), the list,
   *  or where there is none, on the button that starts one. */
  focus() {
    if (this.inbox?.conversation && !PHONE.matches) return this.view.focusComposer();
    if (this.inbox) this.list.render(); // which otherwise waits for the next frame
    if (!this.list.focus()) this.view.focusBlank() || this.list.focusStart();
  }

  /** Makes the page show what the address says: the user has gone back or forth in the browser's history, or has followed a
   *  link. */
  async follow() {
    if (!this.inbox) return;
    const { searchParams } = new URL(location.href);
    await this.inbox.open(linked() ?? undefined);
    const [id, from] = ['message', 'from'].map((name) => searchParams.get(name) ?? undefined);
    if (!id || !this.inbox.conversation) return this.inbox.closeReplies();
    if (from === 'none') return this.#showMessage(id);
    const at = from === undefined ? 'newest' : Number(from) === 0 ? 'first' : Number(from) || Date.parse(from) || 'newest';
    if (this.inbox.replies?.parent.id !== id) await this.inbox.openReplies({ id }, { at });
  }

  /** Shows a message of the open conversation. */
  async #showMessage(id) {
    const { conversation, side } = this.inbox;
    try {
      const message = conversation.list.get(id) ?? (await side.message(conversation.thread, id));
      if (this.inbox?.conversation === conversation) await this.#openFound({ message, threadId: conversation.thread.id });
    } catch (error) {
      if (error.status !== 404) throw error;
      setLink(NO_REPLIES, true);
      note(texts.conversation.messageGone);
    }
  }

  /** Shows the message that is replied to in its conversation. */
  async #toParent() {
    const { parent } = this.inbox.replies;
    if (!SIDE_BY_SIDE.matches) this.closeReplies();
    await this.view.messages.goTo({ id: parent.id, at: parent.createdAt && Date.parse(parent.createdAt) });
    this.view.transcript.focus(parent.id);
  }

  /** Shows a message that was found: in its conversation, or if that does not show it, among the replies. */
  async #openFound({ message, threadId }) {
    const start = { id: message.id, at: Date.parse(message.createdAt) };
    const isAside = message.parentId && message.alsoInThread === false;
    // Several customers may use one thread id: the conversation that is open comes first.
    const open = this.inbox.conversation;
    const key = open?.thread?.id === threadId ? open.key : (this.inbox.index.keysOf(threadId)[0] ?? threadId);
    if (this.inbox.conversation?.key !== key) await this.open(key, isAside ? {} : { start });
    if (isAside) return this.openReplies({ id: message.parentId }, start);
    await this.view.messages.goTo(start);
    this.view.transcript.focus(message.id);
  }

  /** From the conversation to the list: another screen on a phone, else only the focus. */
  async back() {
    if (PHONE.matches) {
      setLink({ thread: undefined, ...NO_REPLIES });
      await this.inbox.open(undefined);
    }
    this.list.focus();
  }

  /** @param {import('./modules.js').ModuleSet} modules */
  #makePanel(modules) {
    const options = {
      closedNote: this.closedNote,
      close: () => this.closeReplies(),
      toParent: () => this.guard(() => this.#toParent()),
    };
    return modules.make('threadPanel', 'thread', { ...options, own: () => new ThreadPanel({ ...options, modules }) });
  }

  /** The panel for replies that are opened: of its own kind if that was asked for one time, else the standing one. */
  #usePanel(panel) {
    if (panel === this.panel) return;
    this.panel.show(undefined);
    this.panel.element.replaceWith(panel.element);
    this.panel = panel;
  }

  #openedReplies(start) {
    const replies = this.inbox?.replies;
    const once = replies && takeOnce();
    this.#usePanel(once ? this.#makePanel(once) : this.#standing);
    this.panel.show(replies, start);
    this.main.classList.toggle('has-replies', !!replies);
    if (replies && !PHONE.matches) this.panel.focus(start);
  }

  #opened(start) {
    const conversation = this.inbox?.conversation;
    this.view.show(conversation, start);
    this.#openedReplies();
    this.main.classList.toggle('has-open', !!conversation);
    this.main.classList.toggle('has-beside', !!conversation && !!this.beside);
    this.count();
  }

  /** Says in the title how much is unread. */
  count() {
    const { index, side } = this.inbox ?? {};
    const loaded = (index?.list() ?? []).filter((thread) => thread.state !== 'closed');
    const unread = this.unread?.() ?? loaded.reduce((sum, thread) => sum + side.unread(thread), 0);
    document.title = unread ? `(${unread}) ${this.title}` : this.title;
  }
}

const linked = () => new URLSearchParams(location.search).get('thread');

/** Changes parameters of the address; undefined takes one away. */
export function setLink(parameters, replace = false) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href === location.href) return;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
}
