/** Ends this browser's login: the button of both pages. */
import { iconButton } from './dom.js';
import { dropLogin } from './login.js';
import { texts } from './texts.js';

/** @param {{parley: import('../parley.js').Parley, guard: (action: () => Promise<void>) => Promise<void>,
 *           before: () => Promise<void>}} parts  `before`: what has to be taken back while the login is good */
export function signOutButton({ parley, guard, before }) {
  const signOut = async () => {
    await before();
    await parley.request('POST', '/auth/logout');
    dropLogin();
    location.reload();
  };
  return iconButton('leave', texts.page.signOut, { data: { test: 'sign-out' }, on: { click: () => guard(signOut) } });
}
