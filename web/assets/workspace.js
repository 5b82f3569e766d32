/**
 * The frame both pages share: sidebar and conversation, side by side or, on a phone, as two screens; the address bar says
 * which conversation is open, so that it can be linked to and the browser's Back leads to the list.
 */
import { banner } from './banner.js';
import { ConversationView } from './conversation-view.js';
import { note, noteProblem } from './dialogs.js';
import { el, soon } from './dom.js';
import { signedIn } from './sign-in.js';
import { ThreadListView } from './thread-list-view.js';

const PHONE = matchMedia('(max-width: 719px)');

export class Workspace {
  /** @type {import('./inbox.js').Inbox|undefined} */
  inbox;

  /** @param {{title: string, parley: import('../parley.js').Parley, stream: import('./shared-stream.js').SharedStream,
   *           header: HTMLElement[], footer: HTMLElement[], list: object, conversation: object, start: () => Promise<void>}} parts
   *  `list`, `conversation`: options of the views; `header`, `footer`: what stands above and below the list;
   *  `start`: loads the page's contents, once the browser is signed in */
  constructor({ title, parley, stream, header, footer, list, conversation, start }) {
    Object.assign(this, { title, parley, stream, start });
    this.list = new ThreadListView({ ...list, open: (key) => this.open(key) });
    this.view = new ConversationView({ ...conversation, back: () => this.back() });
    const aside = el(
      'aside',
      { class: 'sidebar', 'aria-label': 'Conversations' },
      el('header', { class: 'sidebar-header' }, header),
      this.list.element,
      el('footer', { class: 'sidebar-footer' }, footer),
    );
    // Seen by all in the sidebar, which a phone does not always show: so the heading stands here.
    const heading = el('h1', { class: 'visually-hidden' }, title);
    this.main = el('main', { class: 'workspace' }, heading, aside, this.view.element);
    this.element = el('div', { class: 'app' }, banner(stream), this.main);
    stream.addEventListener('failed', ({ detail }) => detail.status === 401 && this.#signInAgain());
    addEventListener('popstate', () => this.inbox?.open(linked() ?? undefined));
  }

  /** Puts the page up and brings it to life. */
  async run() {
    document.body.append(this.element);
    await signedIn(this.parley);
    await this.guard(this.start);
    document.body.dataset.ready = 'true'; // for whoever drives the page
  }

  /** Runs what the user asked for, on the thread that is open; says so when it fails.
   *  @param {(thread?: import('../parley.js').Thread) => Promise<void>} action */
  async guard(action) {
    try {
      await action(this.inbox?.conversation?.thread);
    } catch (error) {
      if (error?.status === 401) return this.#signInAgain();
      console.warn(error);
      note(error?.detail || 'That did not work.');
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
    inbox.addEventListener('open', () => this.#opened());
    inbox.addEventListener('change', soon(() => inbox === this.inbox && this.#count()));
    inbox.addEventListener('problem', ({ detail }) => (detail.status === 401 ? this.#signInAgain() : noteProblem(detail)));
    this.list.attach(inbox);
    this.#opened();
  }

  /** Shows no inbox any more: another is chosen. */
  detach() {
    this.inbox?.close();
    this.inbox = undefined;
    this.list.detach();
    this.#opened();
  }

  /** Opens a conversation as the user's own step: it gets a place in the browser's history. */
  async open(key, { replace = false } = {}) {
    const opening = this.inbox.open(key);
    await Promise.resolve();
    await (this.inbox.index.get(key) ? undefined : opening);
    const { conversation } = this.inbox;
    setLink({ thread: conversation?.thread.id }, replace);
    if (conversation && !PHONE.matches) this.view.focusComposer();
    await opening;
  }

  /** Opens what the address says, if anything. */
  async openLinked() {
    const id = linked();
    if (id) await this.open(id, { replace: true });
  }

  /** Puts the keyboard where one goes on: into the open conversation (on a phone that would bring up its keyboard) or the list. */
  focus() {
    if (this.inbox?.conversation && !PHONE.matches) this.view.focusComposer();
    else this.list.focus();
  }

  /** From the conversation to the list: another screen on a phone, else only the focus. */
  async back() {
    if (PHONE.matches) {
      setLink({ thread: undefined });
      await this.inbox.open(undefined);
    }
    this.list.focus();
  }

  #opened() {
    const conversation = this.inbox?.conversation;
    this.view.show(conversation);
    this.main.classList.toggle('has-open', !!conversation);
    this.#count();
  }

  #count() {
    const { index, side } = this.inbox ?? {};
    const unread = (index?.list() ?? []).reduce((sum, thread) => sum + (thread.state === 'closed' ? 0 : side.unread(thread)), 0);
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
