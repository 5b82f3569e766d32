/** The part of one customer in a thread: the only one or one of several, invited or joined. */
import { personName } from './format.js';
import { texts } from './texts.js';

/** @param {import('../parley.js').ChatThread|undefined} thread */
export const isGroup = (thread) => (thread?.members?.length ?? 0) > 1;

/** Whether the reading customer was invited and has not answered. */
export const isInvited = (thread) => thread?.memberState === 'invited';

/** Whether one may write here: who is invited reads only. */
export const mayWrite = (thread) => Boolean(thread) && thread.state !== 'closed' && !isInvited(thread);

/** A customer without a name, by a part of the id. UUIDs that were made at about the same time begin alike, so it is the end
 *  of such an id.
 *  @param {string} id */
function unnamed(id) {
  return texts.people.unnamed({ id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id.slice(-8) : id.slice(0, 8) });
}

/** @param {import('../parley.js').Customer} member */
export function memberName(member) {
  return personName(member) || unnamed(member.id);
}

/** The name to show for the author of a message, or for somebody who types.
 *  @param {import('../parley.js').Author} [author] */
export function authorName(author) {
  return author?.name || (author?.kind === 'customer' ? unnamed(author.id) : texts.people.agent);
}
