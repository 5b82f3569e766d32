/** What the desk says of channels: new ones, and the settings of the one that is chosen. */
import { ask } from './dialogs.js';

const MODES = [['multithread', 'Several conversations'], ['singlethread', 'One conversation'], ['liveChat', 'Live chat']];
const ID = '[A-Za-z0-9._\\-]+';

/** @param {import('../parley.js').Parley} parley @returns {Promise<boolean>}  whether there is another one */
export async function addChannel(parley) {
  const answer = await ask({
    title: 'Add a channel',
    submit: 'Add',
    test: 'add-channel',
    fields: [
      { name: 'id', label: 'Id', required: true, maxLength: 64, pattern: ID, hint: 'Letters, digits, dot, dash and underscore' },
      { name: 'name', label: 'Name', maxLength: 128 },
      { name: 'mode', label: 'Mode', options: MODES },
    ],
  });
  if (!answer) return false;
  const { id, name, mode } = answer;
  await parley.desk.addChannel({ id, mode, ...(name && { name }) });
  return true;
}

/** @param {import('../parley.js').Parley} parley @param {import('../parley.js').Channel} channel @returns {Promise<boolean>} */
export async function changeChannel(parley, channel) {
  const { isOnline, welcomeMessage = '', inactivity } = channel;
  const isLive = channel.mode === 'liveChat';
  const seconds = (value) => String(value ?? '');
  const number = { pattern: '[0-9]{1,5}', hint: 'A number of seconds; nothing: never' };
  const answer = await ask({
    title: channel.name ?? channel.id,
    submit: 'Save',
    test: 'channel',
    fields: [
      isLive && {
        name: 'isOnline',
        label: 'New chats',
        value: String(isOnline),
        options: [['true', 'Open'], ['false', 'Closed']],
      },
      { name: 'welcomeMessage', label: 'Welcome message', value: welcomeMessage, maxLength: 4096 },
      isLive && { name: 'popup', label: 'Ask a silent customer after', value: seconds(inactivity?.secondsUntilPopup), ...number },
      isLive && { name: 'end', label: 'And end the chat after', value: seconds(inactivity?.secondsUntilEnd || 60), ...number },
    ].filter(Boolean),
  });
  if (!answer) return false;
  const patch = { welcomeMessage: answer.welcomeMessage || null, ...(isLive && { inactivity: limits(answer) }) };
  await parley.desk.updateChannel(channel.id, patch);
  if (isLive && String(isOnline) !== answer.isOnline) await parley.desk.setAvailability(channel.id, answer.isOnline === 'true');
  return true;
}

function limits({ popup, end }) {
  return popup ? { secondsUntilPopup: Number(popup), secondsUntilEnd: Number(end) || 60 } : null;
}
