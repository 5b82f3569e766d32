/** How webhooks and their deliveries are written. */
import { measured, moment } from './format.js';
import { texts } from './texts.js';

/** @param {import('../parley.js').Webhook} webhook */
export const webhookName = (webhook) => webhook.description || webhook.id;

/** The URL without the parts that may be secret, such as the query and parts of the path. @param {string} url */
export function urlStart(url) {
  const { origin, pathname, search } = new URL(url);
  return pathname.length > 1 || search ? `${origin}/…` : origin;
}

/** How many types of events the gateway's log keeps. */
export const TYPES = 9;

/** Whose events it gets, and which. @param {import('../parley.js').Webhook} webhook */
export function chosenEvents({ audience, types, directions, channels }) {
  const whose = audience.session ? texts.webhook.audienceSession({ id: audience.session }) : texts.webhook.audienceDesk;
  const which = types.length === TYPES ? texts.webhook.allTypes : types.join(', ');
  const parts = [which, directions?.join(', '), channels && texts.webhook.channels({ ids: channels.join(', ') }), whose];
  return parts.filter(Boolean).join(' · ');
}

/** @param {number} count */
export const waitingEvents = (count) =>
  count === 0 ? texts.webhook.noneWait : texts.webhook.wait({ count });

/** @param {string} reason  a code of one word */
export const reasonText = (reason) => texts.webhooks.reasons[reason] ?? reason;

/** The result of one attempt. @param {import('../parley.js').DeliveryAttempt} attempt */
export const attemptResult = ({ status, error }) =>
  status ? texts.deliveries.status({ status: String(status) }) : (texts.deliveries.errors[error] ?? error ?? texts.deliveries.unanswered);

/** One attempt as a line of text. @param {import('../parley.js').DeliveryAttempt} attempt */
export const attemptLine = (attempt) =>
  texts.deliveries.attempt({ when: moment(attempt.at), result: attemptResult(attempt), duration: measured(attempt.milliseconds, 'millisecond') });

/** The result of one attempt, and how long it took. @param {import('../parley.js').DeliveryAttempt} attempt */
export const timedResult = (attempt) =>
  texts.deliveries.result({ result: attemptResult(attempt), duration: measured(attempt.milliseconds, 'millisecond') });

/** Whether the receiver took what was sent. @param {import('../parley.js').DeliveryAttempt} attempt */
export const isTaken = ({ status }) => status >= 200 && status < 300;

/** The latest try that failed, of all of these deliveries. @param {import('../parley.js').Delivery[]} deliveries
 *  @returns {import('../parley.js').DeliveryAttempt|undefined} */
export function lastFailure(deliveries) {
  const failed = deliveries.flatMap(({ attempts }) => attempts).filter((attempt) => !isTaken(attempt));
  return failed.reduce((last, one) => (last && last.at >= one.at ? last : one), undefined);
}
