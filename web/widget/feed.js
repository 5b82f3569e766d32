/** When the frame follows its session: as a stream, by asking now and then, or not at all. */

const LONG = 30 * 60_000; // hidden for so long: the stream ends
const PAUSE = 5 * 60_000; // between two questions for what is unread

/** @param {{hasSession: boolean, isVisible: boolean, unseenFor: number}} now  `unseenFor`: ms since somebody could see the open
 *  frame; 0 while that is so  @returns {'stream'|'poll'|'nothing'} */
export function wanted({ hasSession, isVisible, unseenFor }) {
  if (!hasSession) return 'nothing';
  if (unseenFor < LONG) return 'stream';
  return isVisible ? 'poll' : 'nothing';
}

export class Feed {
  #parts;
  #cursor; // where the stream goes on
  #abort;
  #timer;
  #unseenSince = 0; // the frame may be loaded early, for the count on its button
  #isOpen = false;
  #isVisible = true;

  /** @param {{stream: (options: object) => AsyncIterable<object>, poll: () => void, event: (event: object) => void,
   *           state: (state: string) => void, ended: (error: Error) => void, now?: () => number}} parts */
  constructor(parts) {
    this.#parts = { now: () => Date.now(), ...parts };
    this.#unseenSince = this.#parts.now();
  }

  /** Follows from this cursor on; undefined: no session. @param {string} [cursor] */
  follow(cursor) {
    this.#stop();
    this.#cursor = cursor;
    this.#turn();
  }

  /** @param {{isOpen: boolean, isVisible: boolean}} seen */
  look({ isOpen, isVisible }) {
    const could = this.#isSeen;
    [this.#isOpen, this.#isVisible] = [isOpen, isVisible];
    if (could && !this.#isSeen) this.#unseenSince = this.#parts.now();
    this.#turn();
  }

  get #isSeen() {
    return this.#isOpen && this.#isVisible;
  }

  #turn() {
    clearTimeout(this.#timer);
    const unseenFor = this.#isSeen ? 0 : this.#parts.now() - this.#unseenSince;
    const wish = wanted({ hasSession: this.#cursor !== undefined, isVisible: this.#isVisible, unseenFor });
    if (wish !== 'stream') this.#stop();
    else if (!this.#abort) this.#run();
    if (wish === 'stream' && !this.#isSeen) this.#timer = setTimeout(() => this.#turn(), LONG - unseenFor + 1000);
    if (wish === 'poll') {
      this.#parts.poll();
      this.#timer = setTimeout(() => this.#turn(), PAUSE);
    }
  }

  #stop() {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #run() {
    const abort = (this.#abort = new AbortController());
    const { stream, event, state, ended } = this.#parts;
    const onState = (name) => abort.signal.aborted || state(name);
    try {
      for await (const one of stream({ after: this.#cursor, signal: abort.signal, onState })) {
        if (abort.signal.aborted) return;
        this.#cursor = one.id ?? one.data?.cursor ?? this.#cursor;
        event(one);
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#abort = undefined;
      if (error.status === undefined) throw error; // a mistake of ours ends no session
      ended(error);
    }
  }
}
