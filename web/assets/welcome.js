/** The page of an invitation: its person chooses a password, and is signed in. */
import { el } from './dom.js';
import { keepLogin } from './login.js';
import { texts } from './texts.js';

const MINIMUM = 15; // characters of a password

const code = location.pathname.split('/').at(-1);
const state = document.getElementById('state');
const input = el('input', {
  id: 'password', type: 'password', autocomplete: 'new-password', required: true, minlength: MINIMUM, 'aria-describedby': 'count',
  data: { test: 'new-password' },
});
const count = el('small', { id: 'count', role: 'status' });
const problem = el('p', { class: 'danger-text', role: 'alert', data: { test: 'welcome-problem' } });
const form = el(
  'form',
  { class: 'card-form' },
  el('p', {}, texts.signIn.choose),
  el('div', { class: 'field' }, el('label', { for: 'password' }, texts.signIn.password), input, count),
  el('button', { class: 'primary', data: { test: 'welcome-submit' } }, texts.signIn.enter),
  problem,
);

const showCount = () => {
  const { length } = [...input.value];
  count.textContent = length < MINIMUM ? texts.signIn.count({ count: length, minimum: MINIMUM }) : texts.signIn.enough({ count: length });
};

async function submit(event) {
  event.preventDefault();
  const answer = await fetch(`/auth/invitations/${code}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password: input.value.normalize('NFC') }),
  }).catch(() => undefined);
  if (!answer) return (problem.textContent = texts.signIn.unreachable);
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) return (problem.textContent = said(body));
  if (!keepLogin(body)) return (problem.textContent = texts.signIn.noStorage);
  location.replace('/desk');
}

/** What went wrong, for people. */
function said({ code, reason, detail }) {
  if (code === 'passwordTooWeak') return texts.signIn.weak[reason] ?? texts.signIn.weak.common;
  return code === 'invitationGone' ? texts.signIn.invitationGone : (detail ?? texts.common.failed);
}

input.addEventListener('input', showCount);
form.addEventListener('submit', submit);
showCount();
state.replaceChildren(form);
input.focus();
