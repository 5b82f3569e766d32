/** Signs this browser in with the code in the page's address, and leads to the pages. */
import { keepLogin } from './login.js';
import { texts } from './texts.js';

const say = (text) => (document.getElementById('state').textContent = text);

async function redeem() {
  const code = location.pathname.split('/').at(-1);
  const answer = await fetch(`/auth/codes/${code}/redeem`, { method: 'POST' }).catch(() => undefined);
  if (!answer) return say(texts.signIn.unreachable);
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) return say(body.code === 'launchCodeGone' ? texts.signIn.gone : (body.detail ?? body.title ?? texts.common.failed));
  if (!keepLogin(body)) return say(texts.signIn.noStorage);
  location.replace('/');
}

redeem();
