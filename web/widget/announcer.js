/** Says to screen readers what is new, in one hidden place and once: at most once a second, and of several how many they are. */

export class Announcer {
  #waiting = [];
  #timer;
  #say;
  #several;
  #pause;

  /** @param {(text: string) => void} say @param {(count: number) => string} several @param {number} [pause]  ms */
  constructor(say, several, pause = 1000) {
    [this.#say, this.#several, this.#pause] = [say, several, pause];
  }

  /** @param {string} text */
  add(text) {
    this.#waiting.push(text);
    if (!this.#timer) this.#next();
  }

  #next() {
    const all = this.#waiting.splice(0);
    this.#timer = undefined;
    if (!all.length) return;
    this.#say(all.length === 1 ? all[0] : this.#several(all.length));
    this.#timer = setTimeout(() => this.#next(), this.#pause);
  }
}
