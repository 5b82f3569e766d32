/** Who may do what: the shop's people, the keys of programs, the browsers that are signed in, and what was done. */
import { Parley } from '../parley.js';
import { AuditView } from './access-audit.js';
import { KeysView } from './access-keys.js';
import { LoginsView } from './access-logins.js';
import { PeopleView } from './access-people.js';
import { ask } from './dialogs.js';
import { el, set, setText } from './dom.js';
import { signInByProxy, signedIn } from './sign-in.js';
import { texts } from './texts.js';

const words = texts.access;
const parley = new Parley();
const problem = el('p', { class: 'danger-text', role: 'alert', data: { test: 'access-problem' } });
const main = el('main');
const views = { people: PeopleView, keys: KeysView, logins: LoginsView, audit: AuditView };
const links = el(
  'nav',
  { 'aria-label': words.views },
  Object.keys(views).map((name) => el('a', { href: `?view=${name}`, data: { view: name, test: `view-${name}` } }, words[name])),
);

// An administrator shows again who they are, where that is needed; then the same request is sent again.
const request = parley.request.bind(parley);
parley.request = async (...asked) => {
  try {
    return await request(...asked);
  } catch (error) {
    if (error.code !== 'confirmationNeeded' || !(await confirm())) throw error;
    return request(...asked);
  }
};

/** Does what the user asked for, and tells what went wrong. @param {() => Promise<void>} action */
async function run(action) {
  setText(problem, '');
  try {
    await action();
  } catch (error) {
    if (error.status === 401) return signedIn(parley).then(() => run(action));
    // Its message names each member that is wrong.
    setText(problem, (error.errors?.length ? error.message : error.detail) || texts.common.failed);
  }
}

/** Asks for the password once more, or the proxy that signs people in. Resolves to whether it was right. */
async function confirm() {
  if (!(await request('GET', '/v1/me')).hasPassword) return signInByProxy(parley);
  let wrong;
  for (;;) {
    const field = { name: 'password', label: texts.signIn.password, type: 'password', required: true };
    const answer = await ask({ title: words.confirm, text: words.confirmHint, problem: wrong, submit: texts.common.continue, test: 'confirm', fields: [field] });
    if (!answer) return false;
    try {
      await request('POST', '/auth/confirm', { body: { password: answer.password.normalize('NFC') } });
      return true;
    } catch (error) {
      wrong = error.code === 'wrongCredentials' ? texts.signIn.wrongPassword : error.detail;
    }
  }
}

async function show() {
  const wanted = new URLSearchParams(location.search).get('view');
  const name = Object.hasOwn(views, wanted) ? wanted : 'people';
  for (const link of links.children) set(link, 'aria-current', link.dataset.view === name ? 'page' : undefined);
  document.title = `${words[name]} – ${words.title}`;
  const view = new views[name](parley, run);
  main.replaceChildren(view.element);
  await run(() => view.load());
}

document.body.append(
  el(
    'div',
    { class: 'app inspect' },
    el('header', {}, el('h1', {}, words.title), links, el('span', { class: 'spacer' }),
      el('a', { href: '/desk' }, texts.inspect.desk), el('a', { href: '/docs/People' }, texts.inspect.help)),
    problem,
    main,
  ),
);
await signedIn(parley);
await show();
document.body.dataset.ready = 'true';
