/**
 * The conversations of one side, kept up to date: their lists by collections. Tells by `change` that a list is different, by
 * `open` that another conversation (or none) is on show, by `replies` that another reply thread (or none) is, by `gone` that the
 * message replied to is no more, by `removed` that the open conversation is not there any more, and by `problem` (detail: the
 * error) what went wrong.
 */
import { CollectedThreads } from './collected-threads.js';
import { Conversation } from './conversation.js';
import { draftKey, Drafts } from './drafts.js';
import { Outbox } from './outbox.js';
import { ThreadIndex } from './thread-index.js';

export class Inbox extends EventTarget {
  #outboxes = new Map();
  #formerKey; // of the conversation that is about to be opened
  #stale = false; // a load failed: do it again when the gateway is back
  #end = new AbortController();

  /** @type {Conversation|undefined} */
  conversation;
  /** The reply thread that is open beside it. @type {Conversation|undefined} */
  replies;
  /** All threads that are known, of whatever list. @type {ThreadIndex} */
  index;

  /** @param {{side: import('./sides.js').Side, stream: import('./shared-stream.js').SharedStream,
   *           query?: (state: string) => object, joined?: Promise<void>}} parts  `query`: more for a list, like the desk's
   *  channel; `joined`: when the stream follows, if it does not yet: nothing is loaded before */
  constructor({ side, stream, query = () => ({}), joined }) {
    super();
    this.side = side;
    this.#joined = joined?.then(() => (this.#joined = undefined));
    this.query = query;
    this.index = new ThreadIndex(side.key);
    const known = (threads) => {
      for (const thread of threads) this.index.upsert(thread);
      this.#changed();
      this.conversation?.dispatchEvent(new Event('change'));
    };
    this.#collected = new CollectedThreads(side.collections, query, known);
    stream.addEventListener('event', ({ detail }) => this.#take(detail), { signal: this.#end.signal });
    // What the gateway keeps for this page; when it comes back from the browser's cache there is a `reset`.
    const leave = () => this.#lists.forEach((list) => list.abandon());
    globalThis.addEventListener?.('pagehide', leave, { signal: this.#end.signal });
    globalThis.addEventListener?.('pagehide', ({ persisted }) => persisted || this.#keepUnsent(), { signal: this.#end.signal });
    globalThis.addEventListener?.('online', () => this.#back(), { signal: this.#end.signal });
  }

  #collected;
  #joined;

  /** Whether the stream follows, and so whatever is loaded stays true. */
  get isJoined() {
    return !this.#joined;
  }

  /** Everything that the gateway keeps for this page. */
  get #lists() {
    return [this.#collected, this.conversation?.list, this.replies?.list].filter(Boolean);
  }

  /** Loads the first page of threads in `state` unless that has been done. */
  async show(state) {
    this.state = state;
    this.#changed();
    if (!this.isLoaded(state)) await this.#load(() => this.#collected.open(state));
  }

  isLoaded(state) {
    return this.#collected.isLoaded(state);
  }

  hasMore(state) {
    return this.#collected.hasMore(state);
  }

  /** The threads in a state as far as they are loaded, latest activity first. @param {'open'|'closed'|'all'} state */
  threads(state) {
    return this.#collected.items(state);
  }

  /** Everything anew: after a `reset`, or when the query is another. What is on show stays until its successor is there. */
  async reload() {
    await this.#guard(async () => {
      await this.#collected.reload(this.state);
      await Promise.all([this.conversation?.load(), this.replies?.load()]);
    });
  }

  loadMore() {
    return this.#guard(() => this.#collected.fetch(this.state));
  }

  /** Opens a conversation by its key (or id), or none.
   *  @param {string} [key] @param {import('./message-source.js').Start} [start] */
  async open(key, start) {
    if (key !== undefined && key === this.conversation?.thread?.id) return; // of several of this id, the one on show is meant
    if (key !== undefined && !this.index.get(key)) key = this.index.keysOf(key)[0] ?? (await this.#fetch(key));
    if (key === this.conversation?.key) return;
    this.closeReplies();
    this.conversation?.close();
    this.conversation = key === undefined ? undefined : this.#conversation(key);
    this.dispatchEvent(new CustomEvent('open', { detail: start }));
    const { conversation } = this;
    if (conversation) await this.#load(() => conversation === this.conversation && conversation.load(start));
  }

  /** Asks for a thread that is on show before the gateway has told of it. @param {string} key */
  async confirm(key) {
    const { id } = this.index.get(key);
    try {
      this.put(await this.side.get(id, this.index.get(key)));
      this.conversation?.dispatchEvent(new Event('change'));
    } catch (error) {
      if (error.status !== 404) return this.#problem(error);
      this.index.remove(key);
      if (this.conversation?.key !== key) return;
      this.open(undefined);
      this.dispatchEvent(new Event('removed'));
    }
  }

  /** Opens the replies to a message of the open conversation. @param {{id: string}} parent  the message, or only its id
   *  @param {import('./message-source.js').Start} [start] */
  async openReplies(parent, start = { at: 'newest' }) {
    const { conversation } = this;
    if (!conversation) return;
    this.replies?.close();
    const replies = this.#conversation(conversation.key, conversation.list.get(parent.id) ?? parent);
    this.replies = replies;
    replies.addEventListener('gone', () => {
      if (this.replies !== replies) return;
      this.closeReplies();
      this.dispatchEvent(new Event('gone'));
    });
    this.dispatchEvent(new CustomEvent('replies', { detail: start }));
    await this.#guard(() => replies.load(start));
  }

  closeReplies() {
    if (!this.replies) return;
    this.replies.close();
    this.replies = undefined;
    this.dispatchEvent(new Event('replies'));
  }

  /** A thread as an answer to a request shows it. @returns its key */
  put(thread) {
    const key = this.index.upsert(this.#complete(thread));
    this.#changed();
    return key;
  }

  /** Threads that an answer names besides. @param {object[]} threads */
  learn(threads) {
    for (const thread of threads) this.index.upsert(thread);
    this.#changed();
  }

  /** Begins or ends nothing any more. */
  close() {
    this.replies?.close();
    this.conversation?.close();
    this.#collected.close();
    this.#end.abort();
  }

  async #fetch(id) {
    try {
      return this.put(await this.side.get(id));
    } catch (error) {
      this.#problem(error);
      return undefined;
    }
  }

  #conversation(key, parent) {
    const thread = () => this.index.get(key);
    const place = JSON.stringify([key, parent?.id]);
    if (!this.#outboxes.has(place)) {
      const last = thread();
      const send = (message) => this.side.send(thread() ?? last, { ...message, ...(parent && { parentId: parent.id }) });
      const upload = ({ file, key: once }, onProgress, signal) =>
        this.side.upload(thread() ?? last, file, { key: once, onProgress, signal });
      this.#outboxes.set(place, new Outbox(send, upload));
    }
    const formerKey = this.#formerKey;
    return new Conversation({ side: this.side, key, thread, outbox: this.#outboxes.get(place), parent, formerKey });
  }

  #take(event) {
    if (event.type === 'ready') return this.#back();
    if (event.type === 'reset') return void this.reload();
    if (event.type.startsWith('collection.')) {
      for (const one of [this.#collected, this.conversation, this.replies]) one?.take(event);
      return;
    }
    if (!this.side.concerns(event)) return;
    const { data, id } = event;
    if (event.type === 'thread.created' || event.type === 'thread.updated') {
      const thread = this.#complete(data.thread);
      if (!this.side.isComplete(thread)) return void this.#fetch(thread.id);
      this.index.upsert(thread, id);
      this.#changed();
      this.conversation?.dispatchEvent(new Event('change'));
      this.replies?.dispatchEvent(new Event('change'));
    } else if (event.type === 'thread.removed') {
      this.#remove(data, id);
      this.#changed();
    } else if (data?.threadId !== undefined && this.conversation?.thread?.id === data.threadId) {
      if (!this.#isOurs(data)) return;
      this.conversation.take(event);
      this.replies?.take(event);
    }
  }

  #remove({ threadId, channel, customer, movedTo }, at) {
    const owned = channel && customer && this.side.key({ id: threadId, channel, customer });
    const keys = this.index.keysOf(threadId);
    for (const key of owned ? keys.filter((one) => one === owned || one === threadId) : keys) {
      const thread = this.index.get(key);
      this.index.remove(key, at);
      if (this.conversation?.key !== key) continue;
      if (movedTo && thread?.customer) {
        this.#follow(key, { ...thread, customer: { ...thread.customer, id: movedTo } });
      } else {
        this.open(undefined);
        this.dispatchEvent(new Event('removed'));
      }
    }
  }

  /** The open conversation is another customer's now: who wrote it has said who they are. What an agent writes just now stays. */
  #follow(from, thread) {
    const to = this.index.upsert(thread);
    for (const [place, outbox] of [...this.#outboxes]) {
      const [key, parent] = JSON.parse(place);
      if (key !== from) continue;
      this.#outboxes.delete(place);
      this.#outboxes.set(JSON.stringify([to, parent]), outbox);
    }
    this.#formerKey = from;
    this.open(to);
    this.#formerKey = undefined;
  }

  /** At the desk one id may name two customers' threads: the event says whose it is, if it can. */
  #isOurs({ threadId, channel, customer }) {
    if (channel === undefined || customer === undefined) return true;
    const account = { id: threadId, channel, customer: typeof customer === 'string' ? { id: customer } : customer };
    return [this.side.key(account), threadId].includes(this.conversation.key);
  }

  /** An answer or event may lack what only the desk's list says: whose thread it is. */
  #complete(thread) {
    if (thread.channel && thread.customer) return thread;
    const keys = this.index.keysOf(thread.id);
    if (keys.length !== 1) return thread;
    const { channel, customer: known } = this.index.get(keys[0]);
    const customer = thread.members?.find((member) => member.id === known?.id) ?? known; // its name may be new
    return { ...(channel && { channel }), ...(customer && { customer }), ...thread };
  }

  /** What waits to be sent goes with the page: its words become a draft again. */
  #keepUnsent() {
    const drafts = new Drafts();
    for (const [place, outbox] of this.#outboxes) {
      const unsent = outbox.items.map(({ text }) => text).filter(Boolean);
      if (!unsent.length) continue;
      const key = draftKey(this.side.scope, ...JSON.parse(place));
      drafts.set(key, [...unsent, drafts.get(key)].filter(Boolean).join('\n'));
    }
  }

  #back() {
    for (const list of this.#lists) list.expectSync();
    for (const outbox of this.#outboxes.values()) outbox.retryUnreachable();
    if (this.#stale) this.reload();
  }

  /** Runs what asks the gateway, as soon as the stream follows. */
  #load(action) {
    return this.#guard(async () => {
      if (this.#joined) await this.#joined;
      if (!this.#end.signal.aborted) await action();
    });
  }

  async #guard(action) {
    try {
      this.#stale = false;
      await action();
    } catch (error) {
      this.#stale = error.temporary ?? false;
      this.#problem(error);
    }
  }

  #problem(error) {
    this.dispatchEvent(new CustomEvent('problem', { detail: error }));
  }

  #changed() {
    if (!this.#end.signal.aborted) this.dispatchEvent(new Event('change'));
  }
}
