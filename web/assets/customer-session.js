/** The customer's session on a channel, remembered by this browser (its id only: the page's cookie opens it). */
import { ParleyError } from '../parley.js';
import { Drafts } from './drafts.js';

const PREFIX = 'parley.session.';
const place = (service, channel) => `${PREFIX}${service}.${channel}`;

export const remembered = (service, channel) => localStorage.getItem(place(service, channel)) ?? undefined;

/** The id of the only session that this browser remembers, or of the only one of a channel. @param {string} [channel] */
export function onlyRemembered(channel) {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX) && (!channel || name.endsWith(`.${channel}`)));
  return names.length === 1 ? localStorage.getItem(names[0]) : undefined;
}

/** That session: so the page need not ask which channels there are.
 *  Connected; undefined if there is none, there are several, or it is gone.
 *  @param {import('../parley.js').Parley} parley @param {string} [channel] */
export async function onlySession(parley, channel) {
  const id = onlyRemembered(channel);
  const session = id && (await resume(parley, id));
  // A channel's id may be the end of another one's.
  return channel && session?.channel.id !== channel ? undefined : session;
}

/** The remembered session, connected; or a new one. Calling it again with the same `key` makes no second one.
 *  @param {import('../parley.js').Parley} parley @param {string} service @param {string} channel @param {string} key
 *  @param {{id: string}} [customer]  whom a new session acts for; without one, a new customer */
export async function openSession(parley, service, channel, key, customer) {
  const id = remembered(service, channel);
  if (id) {
    const session = await resume(parley, id);
    if (session) return session;
    forget(service, channel);
  }
  const session = await parley.sessions.create({ service, channel, ...(customer && { customer }) }, { key });
  localStorage.setItem(place(service, channel), session.id);
  return session;
}

/** A session, connected; undefined if it was deleted elsewhere, or the gateway's data are new. */
export async function resume(parley, id) {
  try {
    const session = await parley.session(id).get();
    return ['prepared', 'offline'].includes(session.state) ? await parley.session(id).connect() : session;
  } catch (error) {
    if (error instanceof ParleyError && error.status === 404) return undefined;
    throw error;
  }
}

/** Forgets the session, and what was being written in it. */
export function forget(service, channel) {
  const id = remembered(service, channel);
  if (id) new Drafts().forget(id);
  localStorage.removeItem(place(service, channel));
}
