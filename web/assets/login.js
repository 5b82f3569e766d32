/** What this browser keeps of its login: the page's half, and who is signed in; nobody's name for whoever runs the gateway. */
import { PLACE } from '../parley/page-half.js';
import { LastShown } from './last-shown.js';

const PERSON = 'parley.person';

/** Keeps the answer to a sign-in. @param {{page: string, person?: object}} answer
 *  @returns {boolean} whether the browser lets pages store anything */
export function keepLogin({ page, person }) {
  try {
    localStorage.setItem(PLACE, page);
    if (person) keepPerson(person);
    else localStorage.removeItem(PERSON);
    return true;
  } catch {
    return false;
  }
}

/** @param {{id: string, name: string, publicName?: string, role: string}} person */
export function keepPerson({ id, name, publicName, role }) {
  localStorage.setItem(PERSON, JSON.stringify({ id, name: publicName ?? name, role }));
}

/** Who is signed in, under the name that customers see; undefined: whoever runs the gateway, or nobody.
 *  @returns {{id: string, name: string, role: string}|undefined} */
export function signedInPerson() {
  try {
    return JSON.parse(localStorage.getItem(PERSON)) ?? undefined;
  } catch {
    return undefined; // storage is forbidden
  }
}

/** Whether whoever is signed in may change settings. The gateway decides; the pages offer no more than it allows. */
export const maySetUp = () => (signedInPerson()?.role ?? 'administrator') === 'administrator';

/** Whether whoever is signed in may take away what others have written. */
export const mayManage = () => signedInPerson()?.role !== 'agent';

export function dropLogin() {
  for (const place of [PLACE, PERSON]) localStorage.removeItem(place);
  for (const page of ['chat', 'desk']) new LastShown(page).forget();
}
