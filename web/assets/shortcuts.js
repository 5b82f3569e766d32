/**
 * Single keys outside of fields: what a key press means, by what is written on the key (`key`, never its place). Alt is left
 * alone: with it people write the letters of their language.
 */

const PATIENCE = 1500; // ms between the two keys of one shortcut

const FIELDS = 'textarea, select, [contenteditable], [role=textbox], [role=combobox], input:not([type=checkbox], [type=radio], [type=button])';

/** Whether keys go into a field there. @param {Element|null|undefined} target */
export const isWriting = (target) => Boolean(target?.closest?.(FIELDS));

/** The name of the key: letters in lower case; with Shift, or under an input method that composes, there are only capitals.
 *  @param {KeyboardEvent} event @returns {string|undefined}  undefined: it is none of ours */
export function keyName({ key, altKey, ctrlKey, metaKey, shiftKey, isComposing, defaultPrevented }) {
  if (!key || altKey || ctrlKey || metaKey || isComposing || defaultPrevented || key === 'Process' || key === 'Dead') return undefined;
  if (key.length > 1 || key.toLowerCase() === key.toUpperCase()) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase(); // Caps Lock is no Shift
}

export class Shortcuts {
  #actions;
  #isOn;
  #now;
  #first; // {key, at}: the first key of two

  /** @param {Record<string, (event: KeyboardEvent) => unknown>} actions  by key, or by two keys with a blank between. One that
   *    returns false has done nothing: the key goes on
   *  @param {{isOn?: () => boolean, now?: () => number}} [options] */
  constructor(actions, { isOn = () => true, now = Date.now } = {}) {
    this.#actions = new Map(Object.entries(actions));
    this.#isOn = isOn;
    this.#now = now;
  }

  /** @param {KeyboardEvent} event @returns {boolean}  whether the key was taken */
  take(event) {
    const key = keyName(event);
    const first = this.#first;
    if (event.key === 'Shift') return false; // on the way to a sign, also to the second one of two
    this.#first = undefined;
    if (key === undefined || !this.#isOn() || isWriting(event.target)) return false;
    if (first && this.#now() - first.at < PATIENCE) {
      const both = this.#actions.get(`${first.key} ${key}`);
      if (both) return this.#run(both, event);
    }
    const action = this.#actions.get(key);
    if (action) return this.#run(action, event);
    const begins = [...this.#actions.keys()].some((name) => name.startsWith(`${key} `));
    if (begins && !event.repeat) this.#first = { key, at: this.#now() };
    return false;
  }

  #run(action, event) {
    if (action(event) === false) return false;
    event.preventDefault();
    return true;
  }
}
