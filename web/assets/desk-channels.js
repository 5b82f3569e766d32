/** What the desk says of channels: new ones, and the settings of the one that is chosen. */
import { ask } from './dialogs.js';
import { editFields } from './field-editor.js';

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
  await parley.desk.channels.create({ id, mode, ...(name && { name }) });
  return true;
}

/** @param {import('../parley.js').Parley} parley @param {import('../parley.js').Channel} channel @returns {Promise<boolean>} */
export async function changeChannel(parley, channel) {
  const { isOnline, welcomeMessage = '', inactivity, fileRestrictions } = channel;
  const isLive = channel.mode === 'liveChat';
  const seconds = (value) => String(value ?? '');
  const number = { pattern: '[0-9]{1,5}' };
  const answer = await ask({
    title: channel.name ?? channel.id,
    submit: 'Save',
    test: 'channel',
    extra: { label: 'Questions and fields', value: 'fields' },
    fields: [
      isLive && {
        name: 'isOnline',
        label: 'New chats',
        value: String(isOnline),
        options: [['true', 'Open'], ['false', 'Closed']],
      },
      { name: 'welcomeMessage', label: 'Welcome message', value: welcomeMessage, maxLength: 4096 },
      isLive && {
        name: 'popup',
        label: 'Ask a silent customer after',
        value: seconds(inactivity?.secondsUntilPopup),
        hint: 'In seconds; empty: never',
        ...number,
      },
      isLive && {
        name: 'end',
        label: 'And end the chat after',
        value: seconds(inactivity?.secondsUntilEnd || 60),
        hint: 'In seconds; empty: 60',
        ...number,
      },
      { name: 'files', label: 'Files', value: String(fileRestrictions.isAttachmentsEnabled), options: [['true', 'Allowed'], ['false', 'Not allowed']] },
      { name: 'size', label: 'Largest file, in MiB', value: mebibytes(fileRestrictions), required: true, pattern: '[0-9]{1,6}([.][0-9]{1,6})?' },
      { name: 'types', label: 'Kinds of files', value: fileRestrictions.allowedTypes.join(', '), required: true, hint: 'For example image/*, application/pdf; */* allows all' },
    ].filter(Boolean),
  });
  if (!answer) return false;
  if (answer.extra) return changeFields(parley, channel);
  const patch = { welcomeMessage: answer.welcomeMessage || null, ...(isLive && { inactivity: limits(answer) }) };
  await parley.desk.channel(channel.id).update({ ...patch, ...files(answer, fileRestrictions) });
  if (isLive && String(isOnline) !== answer.isOnline) {
    await parley.desk.channel(channel.id).setAvailability({ isOnline: answer.isOnline === 'true' });
  }
  return true;
}

async function changeFields(parley, { id }) {
  // As it is now: another desk may have changed it.
  const { items } = await parley.desk.channels.list();
  const channel = items.find((one) => one.id === id);
  const { preChatSurvey, contactFields = [], customerFields = [] } = channel;
  const known = { survey: preChatSurvey?.fields ?? [], contactFields, customerFields };
  return editFields({
    title: channel.name ?? id,
    sections: [
      { name: 'survey', about: 'thread', heading: 'Asked before a conversation begins', add: 'Add a question', label: 'Question', asksRequired: true, fields: known.survey },
      { name: 'contactFields', about: 'thread', heading: 'Fields of conversations', add: 'Add a field', label: 'Field of a conversation', fields: contactFields },
      { name: 'customerFields', about: 'customer', heading: 'Fields of customers', add: 'Add a field', label: 'Field of a customer', fields: customerFields },
    ],
    async save(fields) {
      const changed = Object.entries(fields).filter(([name, list]) => JSON.stringify(list) !== JSON.stringify(known[name]));
      const { survey, ...patch } = Object.fromEntries(changed);
      const name = preChatSurvey?.name ?? 'Before we start';
      if (survey) patch.preChatSurvey = survey.length ? { name, fields: survey } : null;
      if (changed.length) await parley.desk.channel(id).update(patch);
    },
  });
}

function limits({ popup, end }) {
  return popup ? { secondsUntilPopup: Number(popup), secondsUntilEnd: Number(end) || 60 } : null;
}

const mebibytes = ({ maximumSize }) => String(Number((maximumSize / 2 ** 20).toFixed(6)));

/** Only what was changed: a size in MiB is not always whole. */
function files({ files: allowed, size, types }, known) {
  const allowedTypes = types.split(/[,;\s]+/).filter(Boolean);
  const isSame = size === mebibytes(known) && allowed === String(known.isAttachmentsEnabled) && allowedTypes.join() === known.allowedTypes.join();
  if (isSame) return {};
  const maximumSize = size === mebibytes(known) ? known.maximumSize : Math.max(1, Math.round(Number(size) * 2 ** 20));
  return { fileRestrictions: { isAttachmentsEnabled: allowed === 'true', maximumSize, allowedTypes } };
}
