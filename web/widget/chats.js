/**
 * The visitor's conversations while the frame is open: loaded, followed, written in. Knows nothing of screens. Dispatches
 *
 *   change                      something is to be drawn anew
 *   loaded                      the conversations are known
 *   arrived  {message}          somebody else has written
 *   thread   {thread, before}   a conversation is new or has changed
 *   gone     {id}               one was removed
 *   moved    {from, to}         the channel has one conversation already, which goes on instead
 *   state    'live'|'waiting'   whether the gateway is reached
 *   failed   error              the gateway refuses the session
 *   channel  {channel}          what the session says of its channel
 *   opening  {isOpen, nextOpening}  the channel has opened or closed
 */
import { backOff, pause } from '../parley/waiting.js';
import { Conversation } from './conversation.js';
import { Feed } from './feed.js';
import { Outbox } from './outbox.js';
import { ThreadBook } from './thread-book.js';

export class Chats extends EventTarget {
  book = new ThreadBook();
  /** @type {Conversation|undefined} */
  open;
  isLoaded = false;
  #visitor;
  #hasOne;
  #loading; // what is written waits for it
  #run = 0; // counts the times of loading: a later one ends the earlier
  #moved = new Map();
  #reached; // the last state that was told of the connection
  #answers = new Map(); // conversation -> answers of its survey

  /** @param {import('./visitor.js').Visitor} visitor @param {() => boolean} hasOne  whether the channel has one conversation at a time */
  constructor(visitor, hasOne) {
    super();
    [this.#visitor, this.#hasOne] = [visitor, hasOne];
    this.outbox = new Outbox((item) => this.#deliver(item), (attempt) => pause(backOff(500, attempt, 8000)));
    this.outbox.addEventListener('change', () => this.#tell('change'));
    this.outbox.addEventListener('sent', ({ detail }) => {
      if (this.open?.id === detail.threadId) this.open.list.put(detail);
      this.#tell('sent', detail);
    });
    this.feed = new Feed({
      stream: (options) => visitor.api.events(options),
      poll: () => this.#poll(),
      event: (event) => this.#take(event),
      state: (state) => this.#state(state),
      ended: (error) => this.#tell('failed', error),
    });
  }

  /** Whether the customer wrote it. @param {object} message */
  isOwn = ({ direction, author }) => {
    const { customer, formerIds } = this.#visitor;
    if (direction !== 'toAgent') return false;
    return !author || !customer || author.id === customer || author.kind !== 'customer' || formerIds.includes(author.id);
  };

  /** Loads what the session has, and follows it; without a session there is nothing. */
  load() {
    return (this.#loading = this.#loadUntilDone());
  }

  async #loadUntilDone() {
    const run = ++this.#run;
    this.feed.follow();
    if (!this.#visitor.api) return this.#forget();
    for (let attempt = 1; run === this.#run; attempt++) {
      try {
        return await this.#load(run);
      } catch (error) {
        if (run !== this.#run) return;
        if (isRefusal(error)) return this.#tell('failed', error);
        this.#state('waiting');
        await Promise.race([pause(backOff(1000, attempt, 15_000, error)), online()]);
      }
    }
  }

  async #load(run) {
    const { api } = this.#visitor;
    const [session, { items, cursor }] = await Promise.all([api.get(), api.threads()]);
    if (run !== this.#run) return;
    if (['prepared', 'offline'].includes(session.state)) await api.connect().catch(() => {});
    [this.#visitor.customer, this.#visitor.formerIds] = [session.customer?.id, session.customer?.formerIds ?? []];
    this.book.reset(items);
    this.#tell('channel', { ...session.channel, state: session.state });
    this.isLoaded = true;
    const { open } = this;
    this.#tell('loaded');
    if (open && open === this.open && !open.isNew) this.#loadOpen(open);
    this.feed.follow(cursor);
    this.#tell('change');
  }

  #forget() {
    this.isLoaded = false;
    this.book.reset([]);
    this.#tell('change');
  }

  /** Shows a conversation; undefined: a new one. @param {string} [id] @param {string} [ownId]  what a new one will be called
   *  @returns {Conversation} */
  show(id, ownId) {
    this.leave();
    const open = (this.open = new Conversation(id, () => this.#tell('change'), ownId));
    if (id !== undefined && this.#visitor.api) this.#loadOpen(open);
    return open;
  }

  /** Shows none. */
  leave() {
    this.open?.close();
    this.open = undefined;
  }

  loadOlder() {
    return this.#guard(this.open?.loadOlder(this.#page));
  }

  /** Begins a conversation with the answers of its survey. @param {Record<string, string>} answers */
  async begin(answers) {
    const open = this.open ?? this.show();
    this.#answers.set(open.id, answers);
    await this.#visitor.begin();
    await this.#loading;
    return this.#ensure(open.id);
  }

  /** Tries a message again that failed here, or behind the gateway. @param {string} id */
  retry(id) {
    if (this.outbox.has(id)) return this.outbox.retryAll(id);
    return this.#guard(this.#visitor.api.resend(this.open.id, id));
  }

  /** @param {string} id */
  discard(id) {
    if (this.outbox.has(id)) return this.outbox.discard(id);
    return this.#guard(this.#visitor.api.remove(this.open.id, id));
  }

  /** Everything of the open conversation counts as read. @param {string} id */
  async read(id) {
    await this.#guard(this.#visitor.api?.read(id));
  }

  /** Does something with the session; a refusal of the session is told. @template T @param {(api: object) => Promise<T>} action */
  do(action) {
    return this.#guard(action(this.#visitor.api), true);
  }

  /** A conversation as an answer has it, before its event comes. @param {object} thread */
  took(thread) {
    const before = this.book.put(thread);
    this.#tell('thread', { thread, before });
    this.#tell('change');
  }

  async #deliver(item) {
    const api = await this.#visitor.begin();
    const session = this.#visitor.record?.session;
    try {
      return await this.#deliverBy(api, item);
    } catch (error) {
      if (error.status !== 401 || !(await this.#visitor.hasMovedOn(session))) throw error;
      return this.#deliver(item);
    }
  }

  async #deliverBy(api, item) {
    await this.#loading;
    const thread = await this.#ensure(item.thread);
    const attachments = [];
    for (const one of item.files ?? []) {
      one.id ??= (await api.upload(one.file, one.key)).id;
      this.#tell('change');
    }
    for (const { id } of item.files ?? []) attachments.push({ id });
    const { id, text, postback } = item;
    return api.send(thread, { id, ...(text && { text }), ...(postback && { postback }), ...(attachments.length && { attachments }) });
  }

  /** The conversation at the gateway. It takes an id only once, so that this may be repeated. @returns {Promise<string>} */
  async #ensure(id) {
    const known = this.#moved.get(id) ?? id;
    if (this.book.get(known)) return known;
    if (this.#hasOne() && this.book.current) return this.#move(id, this.book.current);
    try {
      const customFields = this.#answers.get(id);
      return this.#made(await this.#visitor.api.createThread({ id, ...(customFields && { customFields }) }));
    } catch (error) {
      if (error.code !== 'unsupportedChannelConfig' && error.code !== 'illegalChatState') throw error;
      for (const thread of (await this.#visitor.api.threads()).items) this.book.put(thread);
      if (!this.book.current) throw error;
      return this.#move(id, this.book.current);
    }
  }

  #made(thread) {
    this.book.put(thread);
    this.#tell('thread', { thread });
    const { open } = this;
    if (open?.id === thread.id && open.isNew) {
      open.isNew = false;
      this.#loadOpen(open); // it may begin with a message of the channel
    }
    return thread.id;
  }

  /** The only conversation that there may be has begun, by itself or in another tab. */
  async #move(from, { id: to }) {
    const answers = this.#answers.get(from);
    if (answers) await this.#visitor.api.setFields(to, answers);
    this.#moved.set(from, to);
    for (const item of this.outbox.items) if (item.thread === from) item.thread = to;
    this.#tell('moved', { from, to });
    return to;
  }

  #page = (thread, cursor) => this.#visitor.api.messages(thread, cursor);

  #loadOpen(open) {
    return this.#guard(open.load(this.#page, this.book.get(open.id)));
  }

  async #guard(work, throws = false) {
    const session = this.#visitor.record?.session;
    try {
      return await work;
    } catch (error) {
      if (error.status === 401 && session === this.#visitor.record?.session) this.#tell('failed', error);
      if (throws) throw error;
      if (error.status === undefined) console.error(error); // a mistake of ours
      return undefined;
    }
  }

  async #poll() {
    const total = await this.#guard(this.#visitor.api?.unread());
    if (total) this.#tell('unread', total.unreadCount);
  }

  async #state(state) {
    if (state === 'connecting') return;
    this.#reached = state;
    // A session that the visitor leaves for another ends with its stream, and nothing is away.
    if (state === 'waiting' && (await this.#visitor.hasMovedOn(this.#visitor.record?.session))) return;
    if (state !== this.#reached) return;
    if (state === 'live') this.outbox.retryAll();
    if (state === 'live' && this.open && !this.open.isNew && !this.open.list.isLoaded) this.#loadOpen(this.open);
    this.#tell('state', state);
  }

  #take(event) {
    const { type, data } = event;
    if (type === 'reset') return void this.load();
    if (type === 'chat.updated') return this.#tell('channel', { state: data.state });
    if (type === 'channel.updated') return this.#tell('opening', data);
    if (type === 'thread.created' || type === 'thread.updated') {
      const before = this.book.put(data.thread);
      this.#tell('thread', { thread: data.thread, before, actor: data.actor });
    } else if (type === 'thread.removed') {
      this.#remove(data.threadId);
    } else if (data?.threadId) {
      this.#takeMessage(event);
    }
    this.#tell('change');
  }

  /** Unless it only goes along to the session that the visitor has from now on. */
  async #remove(id) {
    if (await this.#visitor.hasMovedOn(this.#visitor.record?.session)) return;
    this.book.remove(id);
    this.#tell('gone', { id });
    this.#tell('change');
  }

  #takeMessage(event) {
    const { type, data } = event;
    if (type === 'typing' && this.isOwn({ direction: 'toAgent', author: data.author }) && data.author.kind === 'customer') return;
    const isOpen = this.open?.id === data.threadId;
    const isNew = isOpen ? this.open.take(event) : type === 'message.created';
    if (isNew && !this.isOwn(data.message)) this.#tell('arrived', { message: data.message });
    // What arrived is not unsent any more, although its answer may have been lost.
    if (data.message) this.outbox.settle(data.message.id);
  }

  #tell(type, detail) {
    if (type === 'failed') this.isLoaded = false;
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Whether the gateway does not know the session any more, or refuses it; not a mistake of ours, and no outage. */
const isRefusal = ({ status }) => [401, 403, 404, 410].includes(status);

/** Resolves when the browser has a network again. */
const online = () => new Promise((resolve) => addEventListener('online', resolve, { once: true }));
