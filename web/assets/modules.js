/**
 * The parts of the pages that a host page may replace, in one table: for all uses, or for one ('conversation': the main pane,
 * 'thread': the panel with a message's replies). Replace before the page's own script is loaded; custom.js shows how.
 *
 *     import { replaceModule, replaceOnce } from '/assets/modules.js';
 *     replaceModule('theme', () => ({ '--accent': '#7a1f5c' }));
 *     replaceModule('messageBubble', (id, actions, options) => new MyBubble(id, actions, options), 'thread');
 *     await import('/assets/chat-page.js');
 *     replaceOnce('threadHeader', (parts) => new MyHeader(parts)); // for the replies that are opened next, and no others
 *
 * | module        | made with                                      | must offer                                             |
 * |---------------|------------------------------------------------|--------------------------------------------------------|
 * | threadPanel   | ({close, toParent, closedNote, own}); `own()`  | element, show(replies, start), focus(start); without   |
 * |               | makes the page's own                           | `replies`, show() hides it                             |
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

/** @typedef {'threadPanel'|'threadHeader'|'list'|'input'|'messageBubble'|'theme'} ModuleName
 *  @typedef {'conversation'|'thread'} Use */

const own = {
  threadPanel: ({ own: make }) => make(),
  threadHeader: (...parts) => new ThreadHeader(...parts),
  list: (...parts) => new TranscriptView(...parts),
  input: (...parts) => new ComposerView(...parts),
  messageBubble: (...parts) => new MessageView(...parts),
  theme: () => ({}),
};

/** What makes modules: the page's own, with others in their place. */
export class ModuleSet {
  #replaced; // `name` or `name use` -> maker
  #below;

  /** @param {Map<string, Function>} replaced @param {ModuleSet} [below]  makes what is not replaced here */
  constructor(replaced, below) {
    this.#replaced = replaced;
    this.#below = below;
  }

  /** @param {ModuleName} name @param {Use} use */
  make(name, use, ...parts) {
    return this.maker(name, use)(...parts);
  }

  /** @param {ModuleName} name @param {Use} use @returns {Function} */
  maker(name, use) {
    return this.#replaced.get(`${name} ${use}`) ?? this.#replaced.get(name) ?? this.#below?.maker(name, use) ?? own[name];
  }

  /** Puts the theme of a use on an element. @param {HTMLElement} element @param {Use} use */
  applyTheme(element, use) {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const theme = this.make('theme', use);
    const apply = () => {
      for (const [name, value] of Object.entries(theme)) {
        element.style.setProperty(name, Array.isArray(value) ? value[dark.matches ? 1 : 0] : value);
      }
    };
    apply();
    dark.addEventListener('change', apply);
  }
}

const standing = new Map();
let next = new Map();

/** What makes the modules of the page. */
export const modules = new ModuleSet(standing);

/** @param {ModuleName} name @param {Function} make @param {Use} [use]  without one: for all */
export function replaceModule(name, make, use) {
  standing.set(use ? `${known(name)} ${use}` : known(name), make);
}

/** For the thread panel that is opened next, until it is closed. @param {ModuleName} name @param {Function} make */
export function replaceOnce(name, make) {
  next.set(known(name), make);
}

/** What was put in place for one time; undefined if nothing was. It is used up. @returns {ModuleSet|undefined} */
export function takeOnce() {
  if (!next.size) return undefined;
  const taken = new ModuleSet(next, modules);
  next = new Map();
  return taken;
}

function known(name) {
  if (!Object.hasOwn(own, name)) throw new TypeError(`There is no module ${name}.`);
  return name;
}
