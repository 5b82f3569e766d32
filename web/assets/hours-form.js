/** The hours of a channel as the texts of a form, and back. Whether they can be is for the gateway to say. */

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** The time zones that the browser knows. @returns {[string, string][]} */
export const zones = () => (Intl.supportedValuesOf?.('timeZone') ?? []).map((zone) => [zone, '']);

const written = (times = []) => times.map((time) => time.join('–')).join(', ');

/** `09:00–12:00, 13–17:30` as pairs. What is no time stays as it is, so that the gateway refuses it. @param {string} text */
function times(text) {
  const clock = (part) => part.trim().replace(/^(\d)(?=$|:)/, '0$1').replace(/^\d\d$/, '$&:00');
  return text.split(/[,;]/).filter((part) => part.trim()).map((part) => part.split(/[-–—]/).map(clock));
}

const lines = (text = '') => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** In which language the form has the answer: the channel's first. */
const languageOf = ({ languages, outside }) => languages?.[0] ?? Object.keys(outside?.answer ?? {})[0] ?? 'en';

/** The values of the form. @param {object} channel @returns {Record<string, string>} */
export function hoursOf(channel) {
  const { hours = {}, outside = {} } = channel;
  const { mode = 'always', timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone, week = {}, closed = [], open = [] } = hours;
  return {
    mode,
    timeZone,
    ...Object.fromEntries(DAYS.map((day) => [day, written(week[day])])),
    closed: closed.join('\n'),
    open: open.map(({ day, times: parts }) => `${day} ${written(parts)}`).join('\n'),
    answer: outside.answer?.[languageOf(channel)] ?? '',
    chats: outside.chats ?? 'close',
    askEmail: String(outside.askEmail ?? false),
    hideBubble: String(outside.hideBubble ?? false),
  };
}

/** What is to be changed of the channel. Answers in other languages stay. @param {Record<string, string>} form @param {object} channel */
export function outsideOf(form, channel) {
  const { [languageOf(channel)]: _, ...others } = channel.outside?.answer ?? {};
  const answer = { ...others, ...(form.answer && { [languageOf(channel)]: form.answer }) };
  const special = lines(form.open).map((line) => {
    const [, day, rest] = /^(\S+)\s*(.*)$/.exec(line);
    return { day, times: times(rest) };
  });
  return {
    hours: {
      mode: form.mode,
      timeZone: form.timeZone,
      week: Object.fromEntries(DAYS.map((day) => [day, times(form[day] ?? '')]).filter(([, parts]) => parts.length)),
      closed: lines(form.closed),
      open: special,
    },
    outside: {
      ...(Object.keys(answer).length && { answer }),
      askEmail: form.askEmail === 'true',
      hideBubble: form.hideBubble === 'true',
      chats: form.chats ?? channel.outside?.chats ?? 'close',
    },
  };
}
