/** The first screen of the chat page: which channel to talk on. */
import { el } from './dom.js';

const MODES = {
  singlethread: 'One conversation',
  multithread: 'Several conversations',
  liveChat: 'Live chat',
};

/** Asks for a channel. @param {{service: string, channel: import('../parley.js').Channel, remembered: boolean}[]} choices
 *  @returns {Promise<{service: string, channel: object}>} */
export function pickChannel(choices) {
  return new Promise((resolve) => {
    const pick = (choice) => () => {
      screen.remove();
      resolve(choice);
    };
    const card = (choice) =>
      el(
        'li',
        {},
        el(
          'button',
          { type: 'button', class: 'channel', data: { test: `channel-${choice.channel.id}` }, on: { click: pick(choice) } },
          el('strong', {}, choice.channel.name ?? choice.channel.id),
          el('span', { class: 'muted' }, MODES[choice.channel.mode] ?? choice.channel.mode),
          choice.remembered && el('span', { class: 'tag' }, 'Continue'),
        ),
      );
    const screen = el(
      'div',
      { class: 'screen', data: { test: 'channel-picker' } },
      el(
        'div',
        { class: 'card' },
        el('h1', {}, 'How can we help?'),
        el('p', { class: 'muted' }, choices.length ? 'Choose a channel to start.' : 'There is no channel yet. The desk can add one.'),
        el('ul', { class: 'channels' }, choices.map(card)),
      ),
    );
    document.body.append(screen);
    screen.querySelector('button')?.focus();
  });
}
