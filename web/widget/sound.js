/** A short sound for a new message, made by the browser: nothing is loaded for it. Off until somebody switches it on. */

const KEY = 'parley.sound';

export class Sound {
  #store;
  #context;

  /** @param {import('./store.js').Store} store */
  constructor(store) {
    this.#store = store;
  }

  get isOn() {
    return this.#store.get(KEY) === true;
  }

  /** By a click, as browsers let a page sound only then. */
  toggle() {
    this.#store.put(KEY, this.isOn ? undefined : true);
    if (this.isOn) this.play();
  }

  play() {
    if (!this.isOn || !globalThis.AudioContext) return;
    this.#context ??= new AudioContext();
    const { currentTime: now, destination } = this.#context;
    const [tone, volume] = [this.#context.createOscillator(), this.#context.createGain()];
    tone.frequency.setValueAtTime(660, now);
    tone.frequency.setValueAtTime(880, now + 0.09);
    volume.gain.setValueAtTime(0.08, now);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + 0.35);
    tone.connect(volume).connect(destination);
    tone.start(now);
    tone.stop(now + 0.35);
  }
}
