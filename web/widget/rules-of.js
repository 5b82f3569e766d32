/** What a page's settings, and later a session's channel, say of the rules of the frame. */
import { surveyOf } from './opening.js';

/** @param {object} settings @param {{consent?: string}} [record]  what is remembered @returns {import('./frame-state.js').Rules} */
export function rulesOf(settings, record) {
  const { visitors = {}, rating } = settings;
  const { consent } = visitors;
  return {
    mode: settings.mode ?? 'multithread',
    isPublic: settings.public === true,
    hasSurvey: Boolean(surveyOf(settings)?.fields?.length),
    needsConsent: Boolean(consent?.required && record?.consent !== consent.version),
    needsIdentity: visitors.identity === 'required' || visitors.anonymous === 'vouched',
    isOnline: settings.isOnline !== false,
    rates: Boolean(rating && rating !== 'off'),
  };
}

/** Settings with what a session's channel says: of a channel that is not public the page knows nothing.
 *  @param {object} settings @param {object} channel */
export function withChannel(settings, channel) {
  const { name, mode, fileRestrictions, preChatSurvey, isOnline, isOpen, nextOpening, menu, appearance, rating, reopenDays } = channel;
  const named = { name: appearance?.name ?? name, appearance };
  const known = { mode, fileRestrictions, preChatSurvey, isOnline, isOpen, menu, rating, reopenDays, ...named };
  const opening = isOpen === undefined ? {} : { nextOpening };
  return { ...settings, ...opening, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) };
}
