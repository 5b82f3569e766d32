/** Brings the parts together: the state of the frame, the visitor's session, the conversations, the screens, the host. */
import { TypingReporter } from '../assets/typing.js';
import { Tickets } from '../assets/tickets.js';
import { Announcer } from './announcer.js';
import { followChats } from './chat-events.js';
import { Chats } from './chats.js';
import { soon } from './dom.js';
import { Drafts } from './drafts.js';
import { isInConversation, start, step } from './frame-state.js';
import { followHost, tellNeed } from './host-messages.js';
import { HostPort } from './host-port.js';
import { menuEntries } from './menu-entries.js';
import { closedText } from './opening.js';
import { rulesOf } from './rules-of.js';
import { Screens } from './screens.js';
import { menuOffers, screenParts } from './screen-parts.js';
import { Sound } from './sound.js';
import { Store } from './store.js';
import { t, useTexts } from './texts.js';
import { mayReopen } from './thread-book.js';
import { Visitor } from './visitor.js';

export class Widget {
  page = {}; // where the host is: {url, title}
  prefilled = {}; // answers of a survey that the host knows
  isShown = true; // as far as the host knows
  isOpen;
  #effects;
  #readTo; // the last message that was reported as read

  /** @param {object} settings @param {boolean} isFramed */
  constructor(settings, isFramed) {
    Object.assign(this, { settings, isFramed, isOpen: !isFramed });
    useTexts(settings.texts, settings.lang);
    this.store = new Store(settings.channel);
    this.sound = new Sound(this.store);
    this.drafts = new Drafts(this.store);
    this.host = new HostPort();
    const { consent, proof } = settings.visitors ?? {};
    this.visitor = new Visitor({
      channel: settings.channel,
      store: this.store,
      proof: proof === 'work',
      consent: () => (this.hasAgreed ? consent.version : undefined),
      visit: () => this.#visit(),
      working: (isOn) => this.screens.notify(isOn ? 'problems.proof' : undefined, isOn ? { stays: true } : { only: 'problems.proof' }),
    });
    const rules = rulesOf(settings, this.visitor.record);
    this.hasAgreed = Boolean(consent?.required) && !rules.needsConsent;
    this.chats = new Chats(this.visitor, () => this.state.rules.mode !== 'multithread');
    this.tickets = new Tickets((body) => this.visitor.api.tickets(body));
    this.typing = new TypingReporter((isTyping) => this.#reportTyping(isTyping));
    this.announcer = new Announcer((text) => this.screens.say(text), (count) => t('messages.news', { count }));
    this.menu = () => menuEntries(this);
    this.screens = new Screens(screenParts(this));
    [this.state, this.#effects] = start(rules, Boolean(this.visitor.record));
    this.render = soon(() => this.#render());
  }

  start() {
    const { chats, drafts, visitor } = this;
    this.paint();
    followChats(this);
    document.addEventListener('visibilitychange', () => this.look());
    document.addEventListener('keydown', (event) => this.#key(event));
    addEventListener('pageshow', (event) => event.persisted && visitor.record && chats.load());
    this.#apply(this.#effects);
    chats.outbox.restore(drafts.unsent);
    if (!visitor.record) this.resumeUnsent();
    this.#enter();
    if (visitor.record) chats.load();
    else chats.outbox.retryAll();
    if (this.isFramed) followHost(this);
    else this.screens.focus();
    document.body.dataset.ready = 'true';
  }

  /** Takes an input of the state, and does what follows. @param {string} type @param {object} [more] */
  input(type, more = {}) {
    const before = this.state;
    const [state, effects] = step(before, { type, ...more });
    this.state = state;
    this.#apply(effects);
    if (before !== state) this.#enter(before);
    this.render();
  }

  /** The conversation on show, as the gateway knows it. */
  get thread() {
    return this.chats.book.get(this.chats.open?.id);
  }

  get isLive() {
    return this.state.rules.mode === 'liveChat';
  }

  /** Whether somebody can see the frame. */
  get isSeen() {
    return this.isOpen && this.isShown && document.visibilityState === 'visible';
  }

  /** How an author is called. */
  name = (author) => author?.name || this.settings.name || t('launcher.label');

  /** Takes note of whether somebody sees the frame. */
  look() {
    const isVisible = this.isShown && document.visibilityState === 'visible';
    this.chats.feed.look({ isOpen: this.isOpen, isVisible });
    this.useIdentity();
    this.render();
  }

  /** @param {string} jwt */
  async identify(jwt) {
    this.input('identified');
    try {
      await this.visitor.identify(jwt, this.isOpen && !this.state.rules.needsConsent);
    } catch (error) {
      if (!error.temporary) this.complain(error);
    }
  }

  /** Begins with what the host has said, as soon as that is possible: so earlier conversations are shown. */
  useIdentity() {
    const { waiting, record } = this.visitor;
    if (waiting && !record && this.isOpen && !this.state.rules.needsConsent) this.identify(waiting);
  }

  /** The visitor has agreed to the channel's words. */
  agree() {
    this.hasAgreed = true;
    const { record } = this.visitor;
    if (record) this.visitor.remember({ consent: this.settings.visitors.consent.version });
    this.input('agree');
    this.useIdentity();
    if (record) this.chats.load();
  }

  /** Begins again from nothing on this device. @returns {Promise<void>} */
  async signOut() {
    const ended = this.visitor.end();
    this.drafts.clear();
    this.chats.outbox.clear();
    this.screens.chat.composer.text = '';
    this.input('signedOut');
    await ended;
  }

  /** What the gateway refused, in words of ours. @param {any} error */
  complain(error) {
    if (error.code === 'tooManyVisitors') {
      const minutes = Math.max(1, Math.ceil((error.retryAfter ?? 60) / 60));
      return this.screens.notify('problems.tooMany', { values: { minutes } });
    }
    const before = this.state;
    this.input(error.status === 401 ? 'unauthorized' : 'refused', { code: error.code });
    if (before === this.state && error.status !== 401) this.screens.notify(error.status === 0 ? 'problems.offline' : 'problems.wrong');
  }

  /** Does something with the session; a failure is told in a line. @param {(api: object) => Promise<unknown>} action */
  async quietly(action) {
    try {
      const answer = await this.chats.do(action);
      if (answer?.id && answer.state) this.chats.took(answer);
    } catch (error) {
      if (error.status !== 401) this.screens.notify('problems.wrong');
    }
  }

  /** The field has changed. @param {string} text */
  written(text) {
    const { open } = this.chats;
    this.drafts.set(open?.place ?? 'new', text);
    if (text && open && !open.isNew && !this.state.closed && this.visitor.api) this.typing.changed();
    else this.typing.stop();
  }

  /** @param {{text?: string, postback?: string, files?: File[]}} what */
  send(what) {
    this.typing.stop();
    this.screens.chat.transcript.follow();
    this.chats.outbox.add(this.chats.open.id, what);
  }

  /** An entry of the channel's menu. @param {{label: string, postback?: string}} entry */
  choose({ label, postback }) {
    this.send({ text: label, ...(postback && { postback }) });
  }

  /** Another conversation, after one has ended. */
  again() {
    this.chats.leave();
    this.input('compose');
  }

  /** What an earlier page could not send stands in a conversation that the gateway does not know. */
  resumeUnsent() {
    const { book, outbox } = this.chats;
    const unsent = outbox.items.find(({ thread }) => !book.get(thread));
    if (!unsent || this.chats.open?.id === unsent.thread || this.state.thread) return;
    this.input('resume');
    if (this.state.name === 'chat') this.#show(undefined, unsent.thread);
  }

  /** Reports as read what somebody can have seen. */
  considerRead() {
    const { open } = this.chats;
    const { thread } = this;
    if (!open?.list.isLoaded || !thread?.unreadCount || !this.isSeen || !isInConversation(this.state)) return;
    if (['pending', 'closed'].includes(thread.state) || !this.screens.chat.transcript.isAtEnd) return;
    const newest = open.list.items.findLast((message) => !this.chats.isOwn(message))?.id;
    if (!newest || newest === this.#readTo) return;
    this.#readTo = newest;
    this.chats.read(thread.id);
  }

  /** What is unread, without what somebody reads right now. */
  get unread() {
    const { thread } = this;
    const isRead = thread && this.isSeen && isInConversation(this.state) && this.screens.chat.transcript.isAtEnd;
    return this.chats.book.unread - (isRead && thread.state !== 'closed' ? (thread.unreadCount ?? 0) : 0);
  }

  /** Everything that settings decide of how the page looks. */
  paint() {
    const { appearance = {}, name, fileRestrictions } = this.settings;
    const { style } = document.documentElement;
    if (appearance.colour) style.setProperty('--accent', appearance.colour);
    if (appearance.onColour) style.setProperty('--on-accent', appearance.onColour);
    document.title = name || t('launcher.label');
    this.screens.chat.composer.rules = fileRestrictions;
    this.#paintHead();
  }

  #apply(effects) {
    for (const effect of effects) {
      if (effect.do === 'needIdentity') tellNeed(this);
      if (effect.do === 'forget') this.visitor.forget();
      if (effect.do === 'say') this.screens.notify(effect.key);
    }
  }

  /** Another screen, or another conversation on it. */
  #enter(before) {
    const { name, thread } = this.state;
    const { open } = this.chats;
    if (name === 'idle') this.chats.leave();
    if (isInConversation(this.state) || name === 'survey') {
      const stays = thread ? open?.id === thread : open?.isNew;
      if (!stays) this.#show(thread);
    }
    if (before?.name === 'chat' && this.state.closed) this.announcer.add(t(this.isLive ? 'queue.ended' : 'composer.ended'));
    const isOther = this.screens.show(this.state, this.settings);
    if (isOther && before && this.isOpen) this.screens.focus();
    this.#paintHead();
  }

  #show(thread, id) {
    this.typing.stop();
    const open = this.chats.show(thread, id);
    this.screens.chat.transcript.clear();
    this.screens.chat.composer.complain();
    this.screens.chat.composer.text = this.drafts.get(open.place);
  }

  #reportTyping(isTyping) {
    const { open } = this.chats;
    if (!open || open.isNew || !this.visitor.api) return;
    this.visitor.api.typing(open.id, isTyping).catch(() => {}); // it matters for a moment only
  }

  #key(event) {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (this.isFramed) this.host.tell('closing');
  }

  #visit() {
    const { url, title } = this.page;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const known = { page: url, title, language: navigator.language, timeZone, screen: `${screen.width}x${screen.height}` };
    return Object.fromEntries(Object.entries(known).filter(([, value]) => value));
  }

  #paintHead() {
    const { state, thread, settings } = this;
    const isChat = isInConversation(state);
    const isHere = state.rules.isOnline && settings.isOpen !== false;
    const words = isHere ? t('head.online') : closedText({ ...settings, isOnline: state.rules.isOnline });
    this.screens.head.render({
      name: settings.name,
      logo: settings.appearance?.logo,
      status: (isChat && thread?.agent?.name) || (settings.name && !['blocked', 'away'].includes(state.name) ? words : undefined),
      mayGoBack: state.rules.mode === 'multithread' && (isChat || state.name === 'survey'),
      mayEnd: this.isLive && state.name === 'chat' && Boolean(thread) && thread.state !== 'closed',
    });
  }

  #render() {
    const { book, open, isOwn } = this.chats;
    if (this.state.name === 'idle') this.screens.start.render(book.all, { greeting: this.settings.appearance?.greeting, isOwn, name: this.name });
    if (open && isInConversation(this.state)) this.#renderChat(open);
    this.#paintHead();
  }

  #renderChat(open) {
    const { chats, thread, state, settings } = this;
    const { chat } = this.screens;
    const mayWrite = !state.closed || (!this.isLive && mayReopen(thread, settings));
    const messages = open.shown(chats.outbox.items);
    chat.render({ name: state.name, isLive: this.isLive, thread, mayWrite });
    chat.greet(open.isNew && !messages.length ? settings.appearance?.greeting || t('start.greeting') : undefined, menuOffers(this));
    chat.transcript.render({
      messages,
      hasOlder: open.list.older !== undefined,
      isLoading: open.isLoading,
      unreadFrom: open.unreadFrom,
      typists: open.typists.authors.map(this.name),
      mayAnswer: mayWrite && !state.closed,
      isOwn: chats.isOwn,
    });
    this.considerRead();
  }
}
