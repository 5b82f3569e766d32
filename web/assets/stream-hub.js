/**
 * One event stream for many followers (the tabs of a browser). It runs in the shared worker, or in the tab that leads.
 *
 * Browsers allow six connections to one origin over HTTP/1.1: a stream for each tab would soon leave none for requests.
 *
 * A follower is anything with `post(message)`. What it gets:
 *   {op: 'joined', cursor}         everything after `cursor` that concerns it will come
 *   {op: 'event', event}           one event
 *   {op: 'state', state, error?}   'connecting' | 'live' | 'waiting'
 *   {op: 'gone', session}          that session is no more, and is followed no longer
 *   {op: 'failed', error}          the gateway refuses the stream; `follow` again tries again
 */
import { ParleyError } from '../parley.js';

const CONTROL = new Set(['ready', 'reset', 'ping']);

export class StreamHub {
  #parley;
  #delay;
  #followers = new Map(); // follower -> {sessions, desk, collections, holder, device, joined}
  #stream; // {key, abort} of the stream that runs
  #cursor; // up to here everything was handed on
  #state = { op: 'state', state: 'connecting' };
  #timer;

  /** @param {import('../parley.js').Parley} parley @param {{delay?: number}} [options]  `delay`: how long changes of the
   *  set are collected before the stream is opened anew (a page that reloads leaves and comes back) */
  constructor(parley, { delay = 40 } = {}) {
    this.#parley = parley;
    this.#delay = delay;
  }

  /** Begins, or changes, what a follower follows. `after` is its own position, if it had one; `device` the device of the desk
   *  whose pushes it makes needless; `page` the half of the login that its page has. */
  follow(follower, { sessions = [], desk = false, collections = false, holder, device, after, page }) {
    this.#parley.page = page;
    this.#cursor ??= after;
    this.#followers.set(follower, { sessions: new Set(sessions), desk, collections, holder, device, joined: false });
    follower.post(this.#state);
    // With a position, the promise can be given before the stream is open: it will be opened from there.
    if (this.#cursor) this.#join();
    this.#settle();
  }

  leave(follower) {
    if (this.#followers.delete(follower)) this.#settle();
  }

  #settle() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#reopen(), this.#delay);
  }

  /** Opens the stream for the present set, from where the last one stood: nothing between is lost, nothing comes twice. */
  #reopen() {
    const all = [...this.#followers.values()];
    const sessions = [...new Set(all.flatMap((one) => [...one.sessions]))].sort();
    const desk = all.some((one) => one.desk);
    // All collections that these tabs have made: a list of ids would open the stream anew with each.
    const isHeld = all.some((one) => one.collections);
    const named = all.flatMap((one) => [one.collections && one.holder, one.device]).filter(Boolean);
    const holders = [...new Set(named)].sort();
    const key = JSON.stringify([sessions, desk, isHeld, holders]);
    if (this.#stream?.key === key) return;
    this.#stream?.abort.abort();
    this.#stream = undefined;
    // Nobody listens: who comes later begins with a snapshot of its own, and need not replay the time between.
    if (sessions.length === 0 && !desk) return void (this.#cursor = undefined);
    this.#stream = { key, abort: new AbortController() };
    this.#run(this.#stream, { sessions, desk, holders, isHeld });
  }

  async #run(stream, { sessions, desk, holders, isHeld }) {
    const signal = stream.abort.signal;
    const onState = (state, { error }) => {
      if (!signal.aborted) this.#tellState({ op: 'state', state, error: error && plain(error) });
    };
    try {
      const kept = { ...(isHeld && { collections: true }), ...(holders.length > 0 && { holders }) };
      const options = { sessions, desk, ...kept, after: this.#cursor, signal, onState, maxDelay: 5000 };
      for await (const event of this.#parley.events(options)) {
        if (signal.aborted) return;
        this.#cursor = event.id ?? event.data?.cursor ?? this.#cursor;
        this.#handOn(event);
        // Behind it: what `ready` makes others load anew is not asked for twice.
        if (event.type === 'ready') this.#join();
      }
    } catch (error) {
      if (!signal.aborted) await this.#refused(stream, error, sessions);
    }
  }

  #handOn(event) {
    for (const [follower, wants] of this.#followers) {
      const concerned =
        CONTROL.has(event.type) ||
        // Whose collection it is, its tab knows by its id.
        (event.type.startsWith('collection.') && wants.collections) ||
        (event.data?.desk && wants.desk) ||
        (event.data?.sessions ?? []).some((session) => wants.sessions.has(session));
      if (concerned) follower.post({ op: 'event', event });
    }
  }

  #join() {
    for (const [follower, wants] of this.#followers) {
      if (!wants.joined) follower.post({ op: 'joined', cursor: this.#cursor });
      wants.joined = true;
    }
  }

  #tellState(state) {
    this.#state = state;
    for (const follower of this.#followers.keys()) follower.post(state);
  }

  /** One deleted session makes the gateway refuse the stream of all: find it, say so, and go on with the others. */
  async #refused(stream, error, sessions) {
    let found = false;
    if (error instanceof ParleyError && error.status === 404) {
      for (const session of sessions) {
        const gone = await this.#parley.session(session).get().then(
          () => false,
          (problem) => problem.status === 404,
        );
        if (gone) this.#forget(session);
        found ||= gone;
      }
    }
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    if (found) return this.#reopen();
    for (const follower of this.#followers.keys()) follower.post({ op: 'failed', error: plain(error) });
  }

  #forget(session) {
    for (const [follower, wants] of this.#followers) {
      if (wants.sessions.delete(session)) follower.post({ op: 'gone', session });
    }
  }
}

/** What of an error can be posted to another tab. */
function plain(error) {
  return { code: error.code ?? 'unknown', status: error.status ?? 0, detail: error.message };
}
