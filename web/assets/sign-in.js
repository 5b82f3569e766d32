/** Whether this browser may use the gateway; if not, how it gets in. */
import { el } from './dom.js';
import { cover } from './screen.js';
import { texts } from './texts.js';

const POLL = 3000;

let waiting; // one wait, one screen, however many ask

/** Resolves when the page's cookie is good. Until then a screen explains `parley open`; it notices by itself when the user
 *  has done so, in whatever tab. @param {import('../parley.js').Parley} parley */
export function signedIn(parley) {
  waiting ??= wait(parley).finally(() => (waiting = undefined));
  return waiting;
}

async function wait(parley) {
  let screen;
  for (;;) {
    const status = await parley.request('GET', '/auth/status').catch(() => undefined);
    if (status?.authenticated) break;
    if (!screen) {
      screen = status ? locked() : away();
    } else if (status && screen.element.dataset.test === 'gateway-away') {
      screen.leave();
      screen = undefined;
      continue;
    }
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL);
      addEventListener('focus', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
  screen?.leave();
}

function locked() {
  return cover(
    texts.page.locked,
    'sign-in',
    el('p', {}, texts.page.lockedHint),
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
