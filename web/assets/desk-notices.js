/** The notification of a customer's message while the desk's page is open. It says what a push would say (`PushMessage`
 *  of the gateway). */
import { itemKey } from '../parley.js';
import { summary } from './format.js';
import { authorName } from './membership.js';

/** @param {import('../parley.js').ParleyEvent} event
 *  @returns what `Notifier.show` shows; undefined for all that no customer has just written */
export function deskNotice({ type, data }) {
  const { message, channel, customer } = data ?? {};
  if (type !== 'message.created' || !data.desk || message?.direction !== 'toAgent' || message.author.kind !== 'customer') return undefined;
  const owner = typeof customer === 'string' ? customer : customer?.id;
  const place = { channel, thread: data.threadId, customer: owner, message: message.id, from: 'none' };
  const query = new URLSearchParams(Object.entries(place).filter(([, value]) => value !== undefined));
  return {
    messageId: message.id,
    threadId: data.threadId,
    key: itemKey({ id: data.threadId, channel, customer: owner }),
    title: authorName(message.author),
    text: message.text || summary(message), // the marks are the notifier's
    link: `/desk?${query}`,
  };
}
