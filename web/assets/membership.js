/** What one customer is in a thread: alone or one of several, invited or joined. */
import { personName } from './format.js';

/** @param {import('../parley.js').Thread|undefined} thread */
export const isGroup = (thread) => (thread?.members?.length ?? 0) > 1;

/** Whether the reading customer was asked to come in, and has not answered. */
export const isInvited = (thread) => thread?.memberState === 'invited';

/** Whether one may write here: who is invited reads only. */
export const mayWrite = (thread) => Boolean(thread) && thread.state !== 'closed' && !isInvited(thread);

/** @param {import('../parley.js').Customer} member */
export function memberName(member) {
  return personName(member) || `Customer ${member.id.slice(0, 8)}`;
}

/** What to call whoever wrote a message, or types. @param {import('../parley.js').Author} [author] */
export function authorName(author) {
  return author?.name || (author?.kind === 'customer' ? `Customer ${author.id.slice(0, 8)}` : 'Agent');
}
