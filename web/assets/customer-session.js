/** The customer's session on a channel, remembered by this browser (its id only: the page's cookie opens it). */
import { ParleyError } from '../parley.js';
import { Drafts } from './drafts.js';

const place = (service, channel) => `parley.session.${service}.${channel}`;

export const remembered = (service, channel) => localStorage.getItem(place(service, channel)) ?? undefined;

/** The remembered session, connected; or a new one. Calling it again with the same `key` makes no second one.
 *  @param {import('../parley.js').Parley} parley @param {string} service @param {string} channel @param {string} key
 *  @param {{id: string}} [customer]  whom a new session acts for; without one, a new customer */
export async function openSession(parley, service, channel, key, customer) {
  const id = remembered(service, channel);
  if (id) {
    try {
      const session = await parley.session(id).get();
      return ['prepared', 'offline'].includes(session.state) ? await parley.session(id).connect() : session;
    } catch (error) {
      if (!(error instanceof ParleyError && error.status === 404)) throw error;
      forget(service, channel); // deleted elsewhere, or the gateway's data are new
    }
  }
  const session = await parley.sessions.create({ service, channel, ...(customer && { customer }) }, { key });
  localStorage.setItem(place(service, channel), session.id);
  return session;
}

/** Forgets the session, and what was being written in it. */
export function forget(service, channel) {
  const id = remembered(service, channel);
  if (id) new Drafts().forget(id);
  localStorage.removeItem(place(service, channel));
}
