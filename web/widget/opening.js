/** Whether somebody is there, by the channel's hours, and what is said while nobody is. */
import { lang, t } from './texts.js';
import { clock, comingDay } from './times.js';

/** What is said while the channel is closed: when it opens, in this browser's zone, or that nobody is there.
 *  @param {{isOpen?: boolean, nextOpening?: string, isOnline?: boolean, mode?: string}} settings */
export function closedText({ nextOpening, isOnline, mode }, now = new Date()) {
  if (nextOpening && new Date(nextOpening) > now) {
    const day = comingDay(nextOpening, lang(), now);
    const time = clock(nextOpening, lang());
    return day ? t('head.hours', { day, time }) : t('head.hoursToday', { time });
  }
  return t(mode === 'liveChat' && isOnline === false ? 'head.closed' : 'head.away');
}

const NONE = [];
let made = {};

/** What is asked before a conversation: the channel's survey, and while nobody is there an e-mail address if the channel wants
 *  one. The same object as long as nothing of it changes. @param {object} settings */
export function surveyOf(settings) {
  const { preChatSurvey: survey, askEmail, isOpen } = settings;
  if (!askEmail || isOpen !== false || survey?.fields.some(({ type }) => type === 'email')) return survey;
  const { name = t('head.away'), fields = NONE } = survey ?? {};
  // The fields are the same as long as the survey's are, so that answers that are typed stay.
  if (made.of !== fields) made = { of: fields, name, fields: [...fields, { ident: 'email', label: t('survey.email'), type: 'email' }] };
  return made;
}

/** Milliseconds until the channel opens; NaN where nobody knows, and while it is open. @param {object} settings */
export const untilOpening = ({ isOpen, nextOpening }) => new Date(isOpen ? NaN : (nextOpening ?? NaN)) - Date.now();
