/** What the desk says of channels: new ones, and the settings of the one that is chosen. */
import { ask } from './dialogs.js';
import { editFields } from './field-editor.js';
import { hoursOf, outsideOf, zones } from './hours-form.js';
import { texts } from './texts.js';

const MODES = ['multithread', 'singlethread', 'liveChat'];
const ID = '[A-Za-z0-9._\\-]+';

/** @param {import('../parley.js').Parley} parley @returns {Promise<boolean>}  whether there is another one */
export async function addChannel(parley) {
  const answer = await ask({
    title: texts.channels.add,
    submit: texts.common.add,
    test: 'add-channel',
    fields: [
      { name: 'id', label: texts.channels.id, required: true, maxLength: 64, pattern: ID, hint: texts.channels.idHint },
      { name: 'name', label: texts.common.name, maxLength: 128 },
      { name: 'mode', label: texts.channels.mode, options: MODES.map((mode) => [mode, texts.modes[mode]]) },
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
    submit: texts.common.save,
    test: 'channel',
    extra: [{ label: texts.channels.fields, value: 'fields' }, { label: texts.hours.title, value: 'hours' }],
    fields: [
      isLive && {
        name: 'isOnline',
        label: texts.channels.chats,
        value: String(isOnline),
        options: [['true', texts.channels.chatsOpen], ['false', texts.channels.chatsClosed]],
      },
      { name: 'welcomeMessage', label: texts.channels.welcome, value: welcomeMessage, maxLength: 4096 },
      isLive && {
        name: 'popup',
        label: texts.channels.popup,
        value: seconds(inactivity?.secondsUntilPopup),
        hint: texts.channels.popupHint,
        ...number,
      },
      isLive && {
        name: 'end',
        label: texts.channels.end,
        value: seconds(inactivity?.secondsUntilEnd || 60),
        hint: texts.channels.endHint,
        ...number,
      },
      { name: 'files', label: texts.channels.files, value: String(fileRestrictions.isAttachmentsEnabled), options: [['true', texts.channels.filesAllowed], ['false', texts.channels.filesForbidden]] },
      { name: 'size', label: texts.channels.size, value: mebibytes(fileRestrictions), required: true, pattern: '[0-9]{1,6}([.][0-9]{1,6})?' },
      { name: 'types', label: texts.channels.types, value: fileRestrictions.allowedTypes.join(', '), required: true, hint: texts.channels.typesHint },
    ].filter(Boolean),
  });
  if (!answer) return false;
  if (answer.extra) return answer.extra === 'hours' ? changeHours(parley, channel) : changeFields(parley, channel);
  const patch = { welcomeMessage: answer.welcomeMessage || null, ...(isLive && { inactivity: limits(answer) }) };
  await parley.desk.channel(channel.id).update({ ...patch, ...files(answer, fileRestrictions) });
  if (isLive && String(isOnline) !== answer.isOnline) {
    await parley.desk.channel(channel.id).setAvailability({ isOnline: answer.isOnline === 'true' });
  }
  return true;
}

/** Asks for the hours until the gateway takes them. */
async function changeHours(parley, { id }) {
  const { items } = await parley.desk.channels.list();
  const channel = items.find((one) => one.id === id);
  const known = hoursOf(channel);
  let given = known;
  for (let problem; ; ) {
    const answer = await ask({ title: texts.hours.title, problem, submit: texts.common.save, test: 'hours', fields: hoursFields(channel, given) });
    if (!answer) return false;
    given = answer;
    try {
      await parley.desk.channel(id).update(outsideOf(answer, channel));
      return true;
    } catch (error) {
      problem = error?.errors?.[0]?.detail ?? error?.detail ?? texts.fields.unsaved;
    }
  }
}

function hoursFields({ mode: kind }, given) {
  const yesOrNo = [['false', texts.hours.no], ['true', texts.hours.yes]];
  const days = Object.entries(texts.hours.days).map(([name, label]) => ({ name, label, value: given[name], maxLength: 200 }));
  days[0].hint = texts.hours.timesHint;
  return [
    { name: 'mode', label: texts.hours.mode, value: given.mode, options: Object.entries(texts.hours.modes) },
    { name: 'timeZone', label: texts.hours.timeZone, value: given.timeZone, required: true, maxLength: 64, suggestions: zones() },
    ...days,
    { name: 'closed', label: texts.hours.closed, value: given.closed, type: 'lines', hint: texts.hours.closedHint },
    { name: 'open', label: texts.hours.open, value: given.open, type: 'lines', hint: texts.hours.openHint },
    { name: 'answer', label: texts.hours.answer, value: given.answer, type: 'lines', maxLength: 2000 },
    kind === 'liveChat' && { name: 'chats', label: texts.hours.chats, value: given.chats, options: Object.entries(texts.hours.chatsKinds) },
    { name: 'askEmail', label: texts.hours.askEmail, value: given.askEmail, options: yesOrNo },
    { name: 'hideBubble', label: texts.hours.hideBubble, value: given.hideBubble, options: yesOrNo },
  ].filter(Boolean);
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
      { name: 'survey', about: 'thread', heading: texts.fields.survey, add: texts.fields.addQuestion, label: texts.fields.question, asksRequired: true, fields: known.survey },
      { name: 'contactFields', about: 'thread', heading: texts.fields.contact, add: texts.fields.addField, label: texts.fields.contactField, fields: contactFields },
      { name: 'customerFields', about: 'customer', heading: texts.fields.customer, add: texts.fields.addField, label: texts.fields.customerField, fields: customerFields },
    ],
    async save(fields) {
      const changed = Object.entries(fields).filter(([name, list]) => JSON.stringify(list) !== JSON.stringify(known[name]));
      const { survey, ...patch } = Object.fromEntries(changed);
      const name = preChatSurvey?.name ?? texts.fields.surveyName;
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
