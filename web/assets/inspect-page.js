/** The inspector: what happens on this gateway. One view at a time is at work, and only while somebody can see it. */
import { Parley } from '../parley.js';
import { el, set, setText } from './dom.js';
import { keepFilters, shownNow, viewAddress } from './inspect-address.js';
import { LogView } from './inspect-log.js';
import { ProblemsView } from './inspect-problems.js';
import { ReadersView } from './inspect-readers.js';
import { RequestsView } from './inspect-requests.js';
import { platformsOf, SandboxView } from './inspect-sandbox.js';
import { RequestBook } from './request-book.js';
import { signedIn } from './sign-in.js';
import { texts } from './texts.js';
import { pause, VisibleWork } from './visible-work.js';

const WAIT = 25; // seconds
const BREATH = 400; // milliseconds between two answers: a busy gateway is not asked for each request

// What the inspector reads is not among the requests that it shows: it would push out all others.
const parley = new Parley({ fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'Parley-Observer': '1' } }) });
const book = new RequestBook();
const problem = el('p', { class: 'danger-text', role: 'alert', data: { test: 'inspect-problem' } });
const main = el('main');
const links = el('nav', { 'aria-label': texts.inspect.views });
let shown; // {name, view}

const requests = new VisibleWork(followRequests, failed);

/** The views by their names in the address. `work` is what is at work while the view is on show. */
const views = {
  log: (filters) => new LogView(parley, filters, { keep: (all) => keep('log', all), failed }),
  readers: () => new ReadersView(parley, { run, failed }),
  requests: (filters) => withRequests(new RequestsView(parley, filters, { book, run, keep: (all) => keep('requests', all) })),
  problems: () => withRequests(new ProblemsView(book)),
};

function withRequests(view) {
  view.work = requests;
  return view;
}

async function followRequests(signal) {
  while (!signal.aborted) {
    const page = await parley.request('GET', '/v1/requests', { query: { after: book.last, wait: WAIT }, wait: WAIT, signal });
    book.take(page);
    shown?.view.changed?.();
    await pause(BREATH, signal);
  }
}

function keep(view, { view: _, ...filters }) {
  keepFilters(view, filters);
}

/** Does what the user asked for, and tells what went wrong. */
async function run(action) {
  setText(problem, '');
  try {
    await action();
  } catch (error) {
    await failed(error);
  }
}

async function failed(error) {
  if (error.status === 401) {
    await signedIn(parley);
    return;
  }
  // Its message names each member that is wrong.
  setText(problem, (error.errors?.length ? error.message : error.detail) || texts.common.failed);
}

function show({ view: wanted, ...filters }) {
  const name = Object.hasOwn(views, wanted) ? wanted : 'log';
  shown?.view.work.stop();
  setText(problem, '');
  shown = { name, view: views[name](filters) };
  main.replaceChildren(shown.view.element);
  for (const link of links.children) set(link, 'aria-current', link.dataset.view === name ? 'page' : undefined);
  document.title = `${texts.inspect[name]} – ${texts.inspect.title}`;
  shown.view.work.start();
}

function renderLinks() {
  links.replaceChildren(...Object.keys(views).map((name) => el('a', { href: viewAddress(name), data: { view: name, test: `view-${name}` } }, texts.inspect[name])));
}

// A link to another view changes what is on show, and the page stays.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="/inspect"]');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', link.getAttribute('href'));
  show(shownNow());
});
addEventListener('popstate', () => show(shownNow()));

document.body.append(
  el(
    'div',
    { class: 'app inspect' },
    el('header', {}, el('h1', {}, texts.inspect.title), links, el('span', { class: 'spacer' }),
      el('a', { href: '/desk' }, texts.inspect.desk), el('a', { href: '/docs/Inspector' }, texts.inspect.help)),
    problem,
    main,
  ),
);
renderLinks();
await signedIn(parley);
const platforms = platformsOf(await parley.info());
if (platforms.length) {
  const again = (filters) => {
    keep('sandbox', filters);
    show(shownNow());
  };
  views.sandbox = (filters) => new SandboxView(parley, filters, { platforms, keep: (all) => keep('sandbox', all), again, run, failed });
  renderLinks();
}
show(shownNow());
document.body.dataset.ready = 'true';
