/** Trying an operation: a form made of what the page says about it, sent with the browser's login, or with a token or a key. */
import { pageHalf } from '../parley/page-half.js';
import { showAnswer } from './docs-answer.js';
import { el } from './dom.js';
import { texts } from './texts.js';

const PAGES = 40; // of a list that begins with the oldest; the newest of more sessions than that is not looked for

let mayWrite = false; // asked once a visit
let token = ''; // what the reader has put in; it is kept nowhere

/** What tells the gateway who asks. */
function credential() {
  if (token) return { Authorization: `Bearer ${token}` };
  const half = pageHalf(location.origin);
  return half ? { 'Parley-Page': half } : {};
}

async function isSignedIn() {
  const answer = await fetch('/auth/status', { headers: credential(), cache: 'no-store' }).catch(() => undefined);
  return Boolean(answer?.ok && (await answer.json()).authenticated);
}

/** A button at each operation; who is not signed in is told how to get in. @param {HTMLElement} main */
export async function offerTrials(main) {
  const sections = [...main.querySelectorAll('.operation:not([data-socket])')];
  if (!sections.length) return;
  const isIn = await isSignedIn();
  const again = async () => {
    if (!(await isSignedIn())) return false;
    removeEventListener('focus', again);
    for (const section of sections) section.querySelector('.trial').replaceWith(trial(section));
    return true;
  };
  for (const section of sections) section.append(isIn ? trial(section) : locked(again));
  if (!isIn) addEventListener('focus', again);
}

/** @param {() => Promise<boolean>} again  asks whether the browser, or the token, is let in now */
function locked(again) {
  const input = el('input', { type: 'password', autocomplete: 'off', required: true, data: { test: 'try-token' } });
  const said = el('p', { role: 'status' });
  const form = el(
    'form',
    {},
    el('label', {}, texts.docs.orToken, input),
    el('div', { class: 'actions' }, el('button', { data: { test: 'try-use-token' } }, texts.docs.use)),
    said,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    token = input.value.trim();
    if (await again()) return;
    token = '';
    said.textContent = texts.docs.notValid;
  });
  return el(
    'div',
    { class: 'trial', data: { test: 'trial-locked' } },
    el('p', { class: 'type' }, texts.docs.again, ' ', el('code', {}, texts.page.lockedCommand)),
    form,
  );
}

/** With whose rights the request is made: this browser's, unless something is put in. */
function credentialField() {
  const input = el('input', { type: 'password', autocomplete: 'off', data: { test: 'try-as' } });
  input.value = token;
  input.addEventListener('input', () => (token = input.value.trim()));
  return el('label', {}, texts.docs.as, input);
}

function trial(section) {
  const open = el('button', { type: 'button', data: { test: 'try' }, 'aria-expanded': 'false' }, texts.docs.title);
  const root = el('div', { class: 'trial' }, open);
  open.addEventListener('click', async () => {
    const form = root.querySelector('form');
    if (form) {
      form.nextElementSibling.remove();
      form.remove();
    } else {
      root.append(...makeForm(section));
    }
    open.setAttribute('aria-expanded', String(!form));
    open.textContent = form ? texts.docs.title : texts.docs.clear;
    if (!form) root.querySelector('input, select, textarea, .primary').focus();
  });
  return root;
}

function makeForm(section) {
  const { method, path } = section.dataset;
  const fields = [...section.querySelectorAll('.parameters > li')].map(({ dataset }) => field(dataset));
  const forms = [...section.querySelectorAll('[data-type]:not(.body)')].map((one) => one.textContent);
  const accept = section.querySelector('.events') && choice(forms);
  // A file is sent as it is: a form would have to be written by the page.
  const body = section.querySelector('.body:not([data-type^="multipart/"])');
  const text = body && el('textarea', { rows: '8', spellcheck: 'false', data: { test: 'try-body' } });
  if (text) text.value = body.querySelector('pre')?.textContent ?? '';
  const stop = el('button', { type: 'button', disabled: true, data: { test: 'try-stop' } }, texts.docs.stop);
  const outcome = el('div', { class: 'outcome', data: { test: 'try-outcome' } });
  const form = el(
    'form',
    {},
    ...fields.map(({ label }) => label),
    accept && el('label', {}, texts.docs.form, accept),
    text && el('label', {}, texts.docs.body({ type: body.dataset.type }), text),
    credentialField(),
    el('div', { class: 'actions' }, el('button', { class: 'primary', data: { test: 'try-send' } }, `${method} ${path}`), stop),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (method !== 'GET' && !(await mayWriteNow(`${method} ${path}`))) return;
    const request = { method, headers: credential(), body: text?.value || undefined, cache: 'no-store' };
    const address = filled(path, fields, request.headers);
    if (accept) request.headers.Accept = accept.value;
    if (request.body !== undefined) request.headers['Content-Type'] = body.dataset.type;
    const leave = new AbortController();
    stop.disabled = false;
    stop.onclick = () => leave.abort();
    await showAnswer(outcome, address, { ...request, signal: leave.signal });
    stop.disabled = true;
  });
  putIds(fields);
  return [form, outcome];
}

/** An input for a parameter. Only what is needed is filled in: all else may be left out. */
function field({ name, in: place, example, list, needed }) {
  const input = el('input', { autocomplete: 'off', spellcheck: 'false', required: place === 'path', data: { test: 'try-field', name } });
  if (needed !== undefined) input.value = example ?? '';
  else if (example) input.placeholder = example;
  return { name, place, list, input, label: el('label', {}, el('span', {}, name, ' ', el('span', { class: 'type' }, place)), input) };
}

function choice(forms) {
  return el('select', { data: { test: 'try-form' } }, ...[...new Set(forms)].map((one) => el('option', {}, one)));
}

/** The newest session, its newest thread and so on, in place of the examples; until the reader writes something. Where there
 *  is none, nothing below it is looked for. */
async function putIds(fields) {
  const known = {};
  for (const { name, list, input } of fields) {
    const isReached = list && [...list.matchAll(/\{(\w+)\}/g)].every(([, parent]) => parent in known);
    const example = input.value;
    const id = isReached ? await newestId(fill(list, known)).catch(() => undefined) : undefined;
    if (id === undefined) continue;
    if (input.value === example) input.value = id;
    known[name] = input.value;
  }
}

/** The id of the newest entry of a list; undefined if it has none. @param {string} path  of the list */
async function newestId(path) {
  let newest;
  let cursor;
  for (let page = 0; page < PAGES; page++) {
    const answer = await fetch(path + (cursor ? `?${new URLSearchParams({ cursor })}` : ''), { headers: { Accept: 'application/json', ...credential() } });
    if (!answer.ok) return undefined;
    const list = await answer.json();
    const times = list.items.map(({ createdAt }) => createdAt ?? '');
    // Of one time the first: lists that begin with the newest are the rule.
    for (const [at, item] of list.items.entries()) if (!newest || times[at] > (newest.createdAt ?? '')) newest = item;
    cursor = times[0] < times.at(-1) || page > 0 ? list.next : undefined;
    if (!cursor) break;
  }
  return newest?.id;
}

const fill = (path, values) => path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));

/** The address with path and query; header parameters go to `headers`. */
function filled(path, fields, headers) {
  const values = {};
  const query = new URLSearchParams();
  for (const { name, place, input } of fields) {
    if (place === 'path') values[name] = input.value;
    else if (input.value && place === 'query') query.append(name, input.value);
    else if (input.value && place === 'header') headers[name] = input.value;
  }
  // A last segment `{path}` takes several.
  const address = fill(path, values).replace(/%2F/g, (slash) => (path.endsWith('{path}') ? '/' : slash));
  return address + (query.size ? `?${query}` : '');
}

/** Asks before the first request that writes. @param {string} call */
function mayWriteNow(call) {
  if (mayWrite) return true;
  const dialog = el(
    'dialog',
    { 'aria-label': texts.docs.askTitle, data: { test: 'try-ask' } },
    el('p', {}, el('strong', {}, texts.docs.askTitle)),
    el('p', {}, texts.docs.ask({ call })),
    el(
      'form',
      { method: 'dialog', class: 'actions' },
      el('button', { class: 'primary', value: 'send', data: { test: 'try-agree' } }, texts.common.send),
      ' ',
      el('button', { value: 'cancel', data: { test: 'try-cancel' } }, texts.common.cancel),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      mayWrite = dialog.returnValue === 'send';
      dialog.remove();
      resolve(mayWrite);
    });
  });
}
