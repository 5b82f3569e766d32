/**
 * A tab's end of the one event stream that all tabs of a browser share.
 *
 * Where the stream itself runs, in order of preference:
 *   worker   a SharedWorker with module scripts
 *   leader   the tab that holds a lock; the others reach it over a BroadcastChannel, and one of them takes over when it goes
 *   own      this tab alone: without locks (no secure context) nobody would know who leads
 */
import { compareCursors, newId, Parley } from '../parley.js';
import { pageHalf } from '../parley/page-half.js';
import { StreamHub } from './stream-hub.js';
import { scriptAddress } from './trusted.js';

const NAME = 'parley-stream';
const NOTHING = { sessions: [], desk: false, collections: false, device: undefined };

/**
 * Dispatches `event` (detail: a ParleyEvent), `state` (detail: {state, error}), `gone` (detail: the session's id),
 * `failed` (detail: {code, status, detail}).
 */
export class SharedStream extends EventTarget {
  /** Names this page: collections that name it as their holder are kept while its stream is open. */
  holder = newId().slice(-8);
  #wanted = NOTHING;
  #cursor; // the last position this tab has seen; survives a change of leader
  #late = false; // `follow` gave up waiting: what was loaded meanwhile may lack what happened since
  #joined = () => {};
  #transport;

  /** @param {{transport?: 'worker'|'leader'|'own'|null}} [options]  to insist on one, in tests */
  constructor({ transport } = {}) {
    super();
    const connected = connect(transport, (message) => this.#receive(message), () => this.#ask());
    this.#transport = connected.then((made) => (this.transport = made.name) && made);
    addEventListener('pagehide', () => this.#post({ op: 'leave' }));
    addEventListener('pageshow', (shown) => {
      if (!shown.persisted) return; // else: back from the browser's cache, with a gap
      this.#ask();
      this.#emit('event', { type: 'reset', data: { reason: 'hidden' } });
    });
  }

  /** Sets what to follow. Resolves when every later event is sure to come (load snapshots then), or after `patience` ms:
   *  then a `reset` follows as soon as it is. Resolves too when something else, or nothing, is followed instead. */
  async follow({ sessions = [], desk = false, collections = false, device }, patience = 1500) {
    this.#wanted = { sessions, desk, collections, device };
    this.#cursor = undefined; // the snapshots that come next make up for whatever we have not seen
    this.#late = false;
    this.#joined();
    let join;
    const joined = new Promise((resolve) => (join = resolve));
    this.#joined = join;
    await this.#ask();
    const timer = setTimeout(() => {
      this.#late ||= this.#joined === join;
      join();
    }, patience);
    await joined;
    clearTimeout(timer);
  }

  /** Follows nothing any more. */
  leave() {
    this.#wanted = NOTHING;
    this.#joined();
    return this.#post({ op: 'leave' });
  }

  /** Names a device of the desk as a holder of the stream, or none: while the stream is open, its page tells by itself what
   *  would be pushed. @param {string} [device] */
  hold(device) {
    this.#wanted = { ...this.#wanted, device };
    return this.#ask();
  }

  /** Asks again with the same wishes: after `failed`, or when another tab has begun to lead. */
  retry() {
    return this.#ask();
  }

  #ask() {
    // A worker has no storage in which it would find the half of the login.
    const page = pageHalf(location.origin);
    return this.#post({ op: 'follow', ...this.#wanted, holder: this.holder, after: this.#cursor, page });
  }

  async #post(message) {
    (await this.#transport).post(message);
  }

  #receive(message) {
    if (message.op === 'event') {
      this.#cursor = message.event.id ?? this.#cursor;
      this.#emit('event', message.event);
    } else if (message.op === 'joined') {
      // The hub may be further than we are (we came to a new leader late): then something has passed us by.
      const behind = this.#cursor && !(compareCursors(message.cursor, this.#cursor) <= 0);
      this.#cursor = message.cursor;
      this.#joined();
      if (behind || this.#late) this.#emit('event', { type: 'reset', data: { reason: 'behind' } });
      this.#late = false;
    } else if (message.op === 'gone') {
      this.#wanted.sessions = this.#wanted.sessions.filter((session) => session !== message.session);
      this.#emit('gone', message.session);
    } else if (message.op === 'failed') {
      this.#emit('failed', message.error);
    } else if (message.op === 'state') {
      this.#emit('state', message);
    }
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** @returns {Promise<{name: string, post: (message: object) => void}>} */
async function connect(wanted, receive, ask) {
  if (!navigator.locks || wanted === 'own') return own(receive);
  const lock = await holdLock();
  if (wanted !== 'leader' && globalThis.SharedWorker) {
    const worker = await viaWorker(lock, receive).catch(() => undefined);
    if (worker) return worker;
  }
  return globalThis.BroadcastChannel ? viaLeader(lock, receive, ask) : own(receive);
}

/** Takes a lock that is ours as long as this tab lives, so that others can learn of its end. */
function holdLock() {
  const name = `${NAME}-tab-${newId()}`;
  return new Promise((resolve) => {
    navigator.locks.request(name, () => (resolve(name), new Promise(() => {})));
  });
}

function viaWorker(lock, receive) {
  return new Promise((resolve, reject) => {
    const script = scriptAddress(new URL('./stream-worker.js', import.meta.url));
    const worker = new SharedWorker(script, { type: 'module', name: NAME });
    const { port } = worker;
    // A worker whose script cannot be loaded, or whose browser knows no modules there, never says hello.
    const timer = setTimeout(reject, 3000);
    worker.onerror = reject;
    port.onmessage = ({ data }) => {
      if (data.op !== 'hello') return receive(data);
      clearTimeout(timer);
      port.postMessage({ op: 'tab', lock });
      resolve({ name: 'worker', post: (message) => port.postMessage(message) });
    };
  });
}

function viaLeader(lock, receive, ask) {
  const channel = new BroadcastChannel(NAME);
  let hub; // only while we lead
  const followers = new Map();
  const self = { post: receive };

  const lead = (from, message) => {
    if (message.op === 'leave') return hub.leave(followers.get(from));
    if (!followers.has(from)) {
      const follower = { post: (answer) => channel.postMessage({ to: from, message: answer }) };
      followers.set(from, from === lock ? self : follower);
      navigator.locks.request(from, () => {
        hub.leave(followers.get(from));
        followers.delete(from);
      });
    }
    hub.follow(followers.get(from), message);
  };

  channel.onmessage = ({ data }) => {
    if (data.to === lock) receive(data.message);
    else if (data.leads) ask();
    else if (data.from && hub) lead(data.from, data.message);
  };
  navigator.locks.request(`${NAME}-leader`, () => {
    hub = new StreamHub(new Parley());
    channel.postMessage({ leads: lock });
    ask();
    return new Promise(() => {});
  });
  const post = (message) => (hub ? lead(lock, message) : channel.postMessage({ from: lock, message }));
  return { name: 'leader', post };
}

function own(receive) {
  const hub = new StreamHub(new Parley());
  const follower = { post: receive };
  const post = (message) => (message.op === 'leave' ? hub.leave(follower) : hub.follow(follower, message));
  return { name: 'own', post };
}
