/** The first screen of the chat page: which channel to talk on. */
import { demoNote } from './demo-note.js';
import { noteProblem } from './dialogs.js';
import { el, set } from './dom.js';
import { cover } from './screen.js';
import { texts } from './texts.js';

/** @typedef {{service: string, channel: import('../parley.js').Channel, remembered: boolean,
 *  demonstration?: import('../parley.js').Demonstration}} Choice  `demonstration`: the one that the channel belongs to */

/** Asks for a channel and enters it. The screen stays until that is done, so that nobody writes to a channel that is being left.
 *  When that fails one may choose again; rejects only when the browser is not signed in.
 *  @param {Choice[]} choices @param {(choice: Choice) => Promise<void>} enter @returns {Promise<void>} */
export function pickChannel(choices, enter) {
  return new Promise((resolve, reject) => {
    const pick = async (choice, { currentTarget: button }) => {
      wait(button);
      try {
        await enter(choice);
        resolve();
      } catch (error) {
        if (error.status !== 401) return wait(undefined), noteProblem(error);
        reject(error);
      }
      screen.leave();
    };
    const buttons = choices.map((choice) =>
      el(
        'button',
        {
          type: 'button',
          class: 'channel',
          data: { test: `channel-${choice.channel.id}` },
          on: { click: (event) => pick(choice, event) },
        },
        el('strong', { dir: 'auto' }, choice.channel.name ?? choice.channel.id),
        el('span', { class: 'muted' }, texts.modes[choice.channel.mode] ?? choice.channel.mode),
        tag(choice),
        el('span', { class: 'spinner' }),
      ),
    );
    /** Shows that the channel of `button` is being entered; or, without one, that there is a choice again. */
    const wait = (button) => {
      for (const one of buttons) {
        one.disabled = Boolean(button);
        set(one, 'aria-busy', one === button && 'true');
      }
    };
    const demonstration = choices.find((choice) => choice.demonstration)?.demonstration;
    const screen = cover(
      texts.picker.heading,
      'channel-picker',
      el(
        'p',
        { class: 'muted' },
        choices.length ? texts.picker.choose : texts.picker.none,
      ),
      el('ul', { class: 'channels' }, buttons.map((button) => el('li', {}, button))),
      demonstration && demoNote(demonstration, location.origin),
    );
  });
}

/** What the button says besides the channel's name and kind. @param {Choice} choice */
function tag({ remembered, demonstration }) {
  const text = remembered ? texts.picker.continue : demonstration && texts.demo.bot;
  return text && el('span', { class: 'tag' }, text);
}
