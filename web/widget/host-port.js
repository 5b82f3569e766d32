/** The way to the page around the frame: one port, which the first right greeting brings. */
import { Gate, greeting, VERSION } from './protocol.js';

export class HostPort extends EventTarget {
  #port;
  #gate = new Gate(() => performance.now());
  #last = new Map(); // what is told only when it changes

  /** Listens until the greeting has come. Dispatches `hello` (detail: its data), and each message as `message` (detail).
   *  @param {string[]} origins */
  listen(origins) {
    const frame = { parent: window.parent, own: location.origin, origins };
    const heard = (event) => {
      const what = greeting(event, frame);
      if (!what) return;
      const [port] = event.ports;
      if (what === 'version') return port.postMessage({ type: 'error', code: 'version', version: VERSION });
      removeEventListener('message', heard);
      this.#port = port;
      port.onmessage = ({ data }) => this.#take(data);
      this.dispatchEvent(new CustomEvent('hello', { detail: event.data }));
    };
    addEventListener('message', heard);
  }

  get isOpen() {
    return this.#port !== undefined;
  }

  /** Tells the host. Nothing of what people say goes along. @param {string} type @param {object} [data] */
  tell(type, data = {}) {
    this.#port?.postMessage({ type, ...data });
  }

  /** The same, if it is not what was told last. */
  tellChange(type, data) {
    const text = JSON.stringify(data);
    if (!this.#port || this.#last.get(type) === text) return;
    this.#last.set(type, text);
    this.tell(type, data);
  }

  #take(data) {
    const message = this.#gate.take(data);
    if (message) this.dispatchEvent(new CustomEvent('message', { detail: message }));
  }
}
