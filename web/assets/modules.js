/**
 * The parts of the pages that a host page may replace, in one table: for all uses, or for one ('conversation': the main pane,
 * 'thread': the panel with a message's replies). Replace before the page's own script is loaded; custom.js shows how.
 *
 *     import { replaceModule } from '/assets/modules.js';
 *     replaceModule('theme', () => ({ '--accent': '#7a1f5c' }));
 *     replaceModule('messageBubble', (id, actions, options) => new MyBubble(id, actions, options), 'thread');
 *     await import('/assets/chat-page.js');
 *
 * | module        | made with                                      | must offer                                             |
 * |---------------|------------------------------------------------|--------------------------------------------------------|
 * | threadHeader  | ({close, toParent})                            | element, update({name})                                |
 * | list          | TranscriptView's options                       | what TranscriptView does; extending it is easiest      |
 * | input         | ComposerView's options                         | what ComposerView does; extending it is easiest        |
 * | messageBubble | (id, actions, {url, test, tag})                | element (class `message`), update(message, how)        |
 * | theme         | ()                                             | custom properties of base.css; a pair is [light, dark] |
 */
import { ComposerView } from './composer-view.js';
import { MessageView } from './message-view.js';
import { ThreadHeader } from './thread-header.js';
import { TranscriptView } from './transcript-view.js';

/** @typedef {'threadHeader'|'list'|'input'|'messageBubble'|'theme'} ModuleName @typedef {'conversation'|'thread'} Use */

const own = {
  threadHeader: (...parts) => new ThreadHeader(...parts),
  list: (...parts) => new TranscriptView(...parts),
  input: (...parts) => new ComposerView(...parts),
  messageBubble: (...parts) => new MessageView(...parts),
  theme: () => ({}),
};

const replaced = new Map(); // `name` or `name use` -> maker

/** @param {ModuleName} name @param {Function} make @param {Use} [use]  without one: for all */
export function replaceModule(name, make, use) {
  if (!(name in own)) throw new TypeError(`There is no module ${name}.`);
  replaced.set(use ? `${name} ${use}` : name, make);
}

/** @param {ModuleName} name @param {Use} use */
export function makeModule(name, use, ...parts) {
  const make = replaced.get(`${name} ${use}`) ?? replaced.get(name) ?? own[name];
  return make(...parts);
}

/** Puts the theme of a use on an element. @param {HTMLElement} element @param {Use} use */
export function applyTheme(element, use) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const theme = makeModule('theme', use);
  const apply = () => {
    for (const [name, value] of Object.entries(theme)) {
      element.style.setProperty(name, Array.isArray(value) ? value[dark.matches ? 1 : 0] : value);
    }
  };
  apply();
  dark.addEventListener('change', apply);
}
