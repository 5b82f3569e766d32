/** Whether this browser may use the gateway; if not, how it gets in. */
import { el } from './dom.js';
import { measured } from './format.js';
import { keepLogin } from './login.js';
import { cover } from './screen.js';
import { texts } from './texts.js';

const POLL = 3000;
const SIGNED_IN = 'parley:signedin'; // this page has got a login

let waiting; // one wait, one screen, however many ask

/** Resolves when the browser's login is good. Until then a screen asks for a password, where there are people, and explains
 *  `parley open`; it notices by itself when the user has signed in, in whatever tab. @param {import('../parley.js').Parley} parley */
export function signedIn(parley) {
  waiting ??= wait(parley).finally(() => (waiting = undefined));
  return waiting;
}

/** Does it, and once more when the browser has signed in, if it had to. @template T
 *  @param {import('../parley.js').Parley} parley @param {() => Promise<T>} action @returns {Promise<T>} */
export async function whenSignedIn(parley, action) {
  try {
    return await action();
  } catch (error) {
    if (error?.status !== 401) throw error;
    await signedIn(parley);
    return action();
  }
}

async function wait(parley) {
  let screen;
  for (;;) {
    const status = await parley.request('GET', '/auth/status').catch(() => undefined);
    if (status?.authenticated) break;
    if (!screen) {
      screen = status ? locked(parley, status.methods ?? []) : away();
    } else if (status && screen.element.dataset.test === 'gateway-away') {
      screen.leave();
      screen = undefined;
      continue;
    }
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL);
      for (const type of ['focus', SIGNED_IN]) addEventListener(type, () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
  screen?.leave();
}

/** @param {string[]} methods  how a browser can sign in */
function locked(parley, methods) {
  const hasPasswords = methods.includes('password');
  return cover(
    texts.page.locked,
    'sign-in',
    methods.includes('proxy') && proxyButton(parley),
    hasPasswords && passwordForm(parley),
    el('p', {}, hasPasswords ? texts.signIn.orOpen : texts.page.lockedHint),
    el('pre', {}, el('code', {}, texts.page.lockedCommand)),
    el('p', { class: 'muted' }, texts.page.lockedNote),
  );
}

function away() {
  return cover(
    texts.page.away,
    'gateway-away',
    el('p', {}, texts.page.awayHint),
    el('span', { class: 'spinner' }),
  );
}

/** Exchanges what a proxy in front says for a login. Resolves to whether the browser could keep it.
 *  @param {import('../parley.js').Parley} parley */
export async function signInByProxy(parley) {
  return keepLogin(await parley.request('POST', '/auth/proxy'));
}

/** @param {import('../parley.js').Parley} parley */
function proxyButton(parley) {
  const problem = el('p', { class: 'danger-text', role: 'alert', data: { test: 'proxy-problem' } });
  const click = async () => {
    try {
      problem.textContent = (await signInByProxy(parley)) ? '' : texts.signIn.noStorage;
      dispatchEvent(new Event(SIGNED_IN));
    } catch (error) {
      problem.textContent = refused(error);
    }
  };
  return el(
    'div',
    {},
    el('button', { type: 'button', class: 'primary', data: { test: 'proxy-sign-in' }, on: { click } }, texts.signIn.single),
    problem,
  );
}

/** @param {import('../parley.js').Parley} parley */
function passwordForm(parley) {
  const email = el('input', { id: 'sign-in-email', type: 'email', autocomplete: 'username', required: true, data: { test: 'sign-in-email' } });
  const password = el('input', {
    id: 'sign-in-password', type: 'password', autocomplete: 'current-password', required: true, data: { test: 'sign-in-password' },
  });
  const problem = el('p', { class: 'danger-text', role: 'alert', data: { test: 'sign-in-problem' } });
  const submit = async (event) => {
    event.preventDefault();
    try {
      const body = { email: email.value, password: password.value.normalize('NFC') };
      problem.textContent = keepLogin(await parley.request('POST', '/auth/sign-in', { body })) ? '' : texts.signIn.noStorage;
      dispatchEvent(new Event(SIGNED_IN));
    } catch (error) {
      problem.textContent = refused(error);
      password.select();
    }
  };
  return el(
    'form',
    { class: 'card-form', on: { submit } },
    el('div', { class: 'field' }, el('label', { for: email.id }, texts.signIn.email), email),
    el('div', { class: 'field' }, el('label', { for: password.id }, texts.signIn.password), password),
    el('button', { class: 'primary', data: { test: 'sign-in-submit' } }, texts.signIn.enter),
    problem,
  );
}

function refused(error) {
  if (error.code === 'tooManyFailures') return texts.signIn.wait({ duration: measured(Math.ceil((error.retryAfter ?? 60) / 60), 'minute') });
  return error.code === 'wrongCredentials' ? texts.signIn.wrong : (error.detail ?? texts.common.failed);
}
