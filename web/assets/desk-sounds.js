/**
 * A short tone when a customer writes: for conversations that nobody has, and for one's own, each if its switch is on. At most
 * one in three seconds, and in one tab of the browser: the tab that plays holds a lock for so long.
 */

const QUIET = 3000; // ms
const LOCK = 'parley.desk.sound';
const NOTES = [[0, 660], [0.14, 880]]; // [seconds, hertz]

/** Which switch a customer's message belongs to. @param {import('../parley.js').ParleyEvent} event
 *  @param {object|undefined} thread  as far as it is known @param {string|undefined} agent  the id of who listens
 *  @returns {'soundMine'|'soundWaiting'|undefined} */
export function soundFor({ type, data }, thread, agent) {
  const { message, desk } = data ?? {};
  if (type !== 'message.created' || !desk || message?.direction !== 'toAgent' || message.author?.kind !== 'customer') return undefined;
  if (!thread?.agent) return 'soundWaiting';
  return thread.agent.id === agent ? 'soundMine' : undefined;
}

export class DeskSounds {
  #context;
  #locks;
  #last = -Infinity; // for browsers without locks

  /** @param {{locks?: LockManager, make?: () => AudioContext}} [browser] */
  constructor({ locks = globalThis.navigator?.locks, make = () => new AudioContext() } = {}) {
    this.#locks = locks;
    this.make = make;
  }

  /** Browsers let a page sound only after the user has done something in it: call it then. */
  wake() {
    this.#context ??= this.make();
    if (this.#context.state === 'suspended') this.#context.resume().catch(() => {});
  }

  get isAwake() {
    return this.#context?.state === 'running';
  }

  /** Resolves to whether it sounded here. @returns {Promise<boolean>} */
  async play() {
    if (!this.isAwake) return false;
    if (!this.#locks) {
      if (performance.now() - this.#last < QUIET) return false;
      this.#last = performance.now();
      return this.#sound();
    }
    return new Promise((resolve) => {
      const held = (lock) => {
        resolve(lock !== null && this.#sound());
        return lock && new Promise((done) => setTimeout(done, QUIET));
      };
      this.#locks.request(LOCK, { ifAvailable: true }, held).catch(() => resolve(false));
    });
  }

  #sound() {
    const { currentTime, destination } = this.#context;
    for (const [after, frequency] of NOTES) {
      const tone = this.#context.createOscillator();
      const volume = this.#context.createGain();
      const start = currentTime + after;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.0001, start);
      volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.32);
      tone.connect(volume).connect(destination);
      tone.start(start);
      tone.stop(start + 0.34);
    }
    return true;
  }
}
