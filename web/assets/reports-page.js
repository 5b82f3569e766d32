/** The page of reports: what came in, how long it took and how it was rated, for the team or for oneself. */
import { Parley } from '../parley.js';
import { el, icon, set, setText } from './dom.js';
import { signedInPerson } from './login.js';
import { choiceIn, queryOf, searchOf, timeOf } from './report-choice.js';
import { ReportFilters } from './report-filters.js';
import { NowLine } from './report-now.js';
import { isEmpty } from './report-plots.js';
import { ReportSource } from './report-source.js';
import { ReportView } from './report-view.js';
import { signedIn } from './sign-in.js';
import { texts } from './texts.js';

const words = texts.reports;
const parley = new Parley();
const source = new ReportSource(parley);
const now = new NowLine((options) => parley.desk.counts(options));
const filters = new ReportFilters((choice) => {
  history.pushState(null, '', searchOf(choice));
  return show();
});

const status = el('p', { class: 'visually-hidden', role: 'status', data: { test: 'reports-status' } });
const content = el('div', { class: 'content', data: { test: 'reports' } });
const button = (name, label, test, click) => el('button', { type: 'button', class: 'quiet tool', data: { test }, on: { click } }, icon(name), label);
const tableButton = button('download', words.table, 'reports-csv', () => download());

let view; // what is on show
let turn = 0; // only the newest request is shown
let names;

/** The report that the address asks for. */
async function show() {
  const mine = (turn += 1);
  const choice = choiceIn(location.search);
  const time = timeOf(choice);
  const tell = () => filters.show(choice, time, source.isOwn || choice.whose === 'mine');
  tell();
  now.follow(choice.channel);
  tableButton.disabled = !time;
  if (!view) put(el('div', { class: 'loading' }, el('span', { class: 'spinner' }), words.loading));
  set(content, 'aria-busy', 'true');
  setText(status, words.loading);
  try {
    const [report] = await Promise.all([time && source.report(queryOf(choice, time), choice.whose), known()]);
    if (mine !== turn) return;
    if (!time) return put(notice('reports-dates', words.noTime));
    tell(); // the gateway may have said that the team's figures are not for this person
    showReport(report);
  } catch (error) {
    if (error.status === 401) return signedIn(parley).then(show);
    if (mine === turn) showProblem(error);
  }
}

/** Resolves when it is known what agents, channels and tags are called. */
async function known() {
  names ??= await source.names();
  filters.offer(names.channel);
}

function showReport(report) {
  if (isEmpty(report)) return put(notice('reports-empty', words.empty, words.emptyHint));
  const next = new ReportView(report, names);
  put(next.element);
  view = next;
  setText(status, words.shown);
}

function showProblem(error) {
  const isTooMuch = error.code === 'invalidParameter' && error.errors?.some(({ pointer }) => pointer === '?until');
  const again = el('button', { type: 'button', class: 'primary', data: { test: 'reports-again' }, on: { click: show } }, words.again);
  put(el('div', { class: 'notice', role: 'alert', data: { test: 'reports-problem' } },
    el('h2', {}, isTooMuch ? words.tooMuch : words.failed), el('p', {}, isTooMuch ? words.tooMuchHint : (error.detail ?? texts.common.failed)), !isTooMuch && again));
}

const notice = (test, title, hint) => el('div', { class: 'notice', data: { test } }, el('h2', {}, title), hint && el('p', {}, hint));

function put(element) {
  view?.end();
  view = undefined;
  content.replaceChildren(element);
  set(content, 'aria-busy', undefined);
  setText(status, '');
}

/** The table of the report as a file for other programs. */
async function download() {
  const choice = choiceIn(location.search);
  tableButton.disabled = true;
  try {
    const href = URL.createObjectURL(await source.table(queryOf(choice, timeOf(choice)), choice.whose));
    el('a', { href, download: `parley-report-${choice.by}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000); // the browser reads it in the background
  } catch (error) {
    showProblem(error);
  }
  tableButton.disabled = false;
}

document.body.append(
  el(
    'div',
    { class: 'app reports' },
    el('header', { class: 'reports-header' },
      el('h1', {}, `${texts.page.title} `, el('span', { class: 'muted' }, words.title)),
      el('nav', { 'aria-label': words.pages }, el('a', { href: '/desk' }, texts.inspect.desk), el('a', { href: '/docs/TheDesk' }, texts.inspect.help))),
    el('main', {},
      el('div', { class: 'reports-tools' }, filters.element, tableButton, button('print', words.print, 'reports-print', () => print())),
      el('div', { class: 'reports-lines' }, filters.line, now.element),
      status,
      content),
  ),
);
addEventListener('popstate', show);
await signedIn(parley);
filters.offerWhose(source.mayChoose(signedInPerson()));
await show();
document.title = `${words.title} – ${texts.page.title}`;
document.body.dataset.ready = 'true';
