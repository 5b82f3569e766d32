/** The page behind a customer's link: one sentence, one button. Only the button uses the link, as programs open addresses too. */
import { el } from './widget/dom.js';
import { path } from './parley/paths.js';
import { Requests } from './widget/requests.js';
import { Store } from './widget/store.js';
import { t, useTexts } from './widget/texts.js';

const settings = JSON.parse(document.getElementById('settings').textContent);
useTexts(settings.texts, settings.lang);
const code = location.pathname.split('/').filter(Boolean).pop();

const title = el('h1', { dir: 'auto' });
const text = el('p', { role: 'status', data: { test: 'link-text' } });
const button = el('button', { type: 'button', class: 'primary wide', data: { test: 'open-link' }, on: { click: open } }, t('linkPage.open'));
const { colour, onColour, logo } = settings.appearance ?? {};
if (colour) document.documentElement.style.setProperty('--accent', colour);
if (onColour) document.documentElement.style.setProperty('--on-accent', onColour);
const picture = logo && el('img', { class: 'logo', alt: '', src: logo, data: { test: 'logo' } });
document.getElementById('main').replaceChildren(el('div', { class: 'sheet' }, picture, title, text, button));

if (settings.isGood === false) show('linkPage.gone', true);
else show('linkPage.private', false);
document.body.dataset.ready = 'true';

/** @param {string} key @param {boolean} isOver  whether the link is of no use any more */
function show(key, isOver) {
  title.textContent = settings.name ? t('linkPage.title', { name: settings.name }) : t('launcher.label');
  document.title = title.textContent;
  text.textContent = t(key);
  button.hidden = isOver;
}

async function open() {
  button.disabled = true;
  try {
    const { session, token, service, channel } = await new Requests().ask('POST', path`/auth/links/${code}`, {});
    new Store(channel).visitor = { session, token, service };
    location.replace(`/widget/${encodeURIComponent(channel)}`);
  } catch (error) {
    show(error.code === 'linkGone' || error.status === 404 ? 'linkPage.gone' : 'problems.wrong', error.code === 'linkGone');
    button.disabled = false;
  }
}
