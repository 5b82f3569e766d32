/** How webhooks and their deliveries are written. */
import { moment } from './format.js';

export const WEBHOOK_STATES = { active: 'Active', failing: 'Failing', paused: 'Paused', disabled: 'Disabled' };

export const DELIVERY_STATES = {
  pending: 'Waiting',
  delivered: 'Delivered',
  dead: 'Dead',
  expired: 'Expired',
  dropped: 'Dropped',
};

const ERRORS = {
  notConnected: 'no connection',
  timeout: 'no answer in time',
  unknownHost: 'unknown host',
  addressRefused: 'address not allowed',
};

const REASONS = {
  failing: 'The receiver has taken nothing for 72 hours.',
  gone: 'The receiver asked for no more events.',
  refused: 'The receiver refused the event each time.',
  aborted: 'The receiver asked to give the event up.',
};

/** @param {import('../parley.js').Webhook} webhook */
export const webhookName = (webhook) => webhook.description || webhook.id;

/** The URL without the parts that may be secret, such as the query and parts of the path. @param {string} url */
export function urlStart(url) {
  const { origin, pathname, search } = new URL(url);
  return pathname.length > 1 || search ? `${origin}/…` : origin;
}

/** How many types of events the gateway's log keeps. */
export const TYPES = 8;

/** Whose events it gets, and which. @param {import('../parley.js').Webhook} webhook */
export function chosenEvents({ audience, types, directions, channels }) {
  const whose = audience.session ? `of session ${audience.session}` : 'of the desk';
  const which = types.length === TYPES ? 'All types' : types.join(', ');
  const parts = [which, directions?.join(', '), channels && `on ${channels.join(', ')}`, whose];
  return parts.filter(Boolean).join(' · ');
}

/** @param {number} count */
export const waitingEvents = (count) =>
  count === 0 ? 'Nothing waits' : count === 1 ? '1 event waits' : `${count.toLocaleString()} events wait`;

/** @param {string} reason  a code of one word */
export const reasonText = (reason) => REASONS[reason] ?? reason;

/** The result of one attempt. @param {import('../parley.js').DeliveryAttempt} attempt */
export const attemptResult = ({ status, error }) =>
  status ? `status ${status}` : (ERRORS[error] ?? error ?? 'no answer');

/** One attempt as a line of text. @param {import('../parley.js').DeliveryAttempt} attempt */
export const attemptLine = (attempt) =>
  `${moment(attempt.at)}: ${attemptResult(attempt)}, after ${attempt.milliseconds} ms`;

/** Whether the receiver took what was sent. @param {import('../parley.js').DeliveryAttempt} attempt */
export const isTaken = ({ status }) => status >= 200 && status < 300;

/** The latest try that failed, of all of these deliveries. @param {import('../parley.js').Delivery[]} deliveries
 *  @returns {import('../parley.js').DeliveryAttempt|undefined} */
export function lastFailure(deliveries) {
  const failed = deliveries.flatMap(({ attempts }) => attempts).filter((attempt) => !isTaken(attempt));
  return failed.reduce((last, one) => (last && last.at >= one.at ? last : one), undefined);
}
