/** Work that goes on while it is wanted and somebody can see it: a hidden page asks the gateway for nothing. */

const PAUSE = 2000;

export class VisibleWork {
  #work;
  #failed;
  #abort;
  #isWanted = false;

  /** @param {(signal: AbortSignal) => Promise<void>} work  runs until the signal aborts; begun again when it ends early
   *  @param {(error: Error) => Promise<void>|void} [failed]  told why it ended early */
  constructor(work, failed = () => {}) {
    this.#work = work;
    this.#failed = failed;
    document.addEventListener('visibilitychange', () => this.#turn());
  }

  start() {
    this.#isWanted = true;
    this.#turn();
  }

  stop() {
    this.#isWanted = false;
    this.#turn();
  }

  /** Begins anew, because what the work is about has changed. */
  restart() {
    if (!this.#isWanted) return;
    this.stop();
    this.start();
  }

  #turn() {
    const mayRun = this.#isWanted && document.visibilityState === 'visible';
    if (!mayRun) {
      this.#abort?.abort();
      this.#abort = undefined;
    } else if (!this.#abort) {
      this.#abort = new AbortController();
      this.#run(this.#abort.signal);
    }
  }

  async #run(signal) {
    while (!signal.aborted) {
      try {
        await this.#work(signal);
      } catch (error) {
        if (!signal.aborted) await this.#failed(error);
      }
      if (!signal.aborted) await pause(PAUSE, signal);
    }
  }
}

/** Waits; an abort ends it early. @param {number} milliseconds @param {AbortSignal} signal @returns {Promise<void>} */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
