/** A report on show: the figures on top, and below them plots, each with the table of its numbers. */
import { el } from './dom.js';
import { counted } from './format.js';
import { PlotView } from './plot-view.js';
import {
  headline, MOST_BARS, ratingsPlot, ratingsTable, spoken, timesPlot, timesTable, volumePlot, volumeTable, waitsPlot, waitsTable,
} from './report-plots.js';
import { texts } from './texts.js';

const words = texts.reports;

/** @param {import('./report-plots.js').Table} table */
function tableView({ title, titles, rows, total }, test) {
  const cells = ([key, ...others]) => [el('th', { scope: 'row' }, el('bdi', {}, key)), ...others.map((one) => el('td', {}, one))];
  return el(
    'div',
    { class: 'numbers', tabindex: '0', role: 'region', 'aria-label': title, data: { test } },
    el(
      'table',
      {},
      el('caption', {}, title),
      el('thead', {}, el('tr', {}, titles.map((one) => el('th', { scope: 'col' }, el('bdi', {}, one))))),
      el('tbody', {}, rows.map((row) => el('tr', {}, cells(row)))),
      el('tfoot', {}, el('tr', {}, cells(total))),
    ),
  );
}

export class ReportView {
  #plots = [];

  /** @param {import('../parley.js').Report} report @param {Record<string, Map<string, string>>} names */
  constructor(report, names) {
    const { total } = report;
    const card = (name, plot, table, none) => this.#card(name, plot, table, none, report);
    this.element = el(
      'div',
      { class: 'report', data: { test: 'report' } },
      el('dl', { class: 'figures' }, headline(report).map((one) => figure(one))),
      el(
        'div',
        { class: 'cards' },
        card('volume', volumePlot(report, names), volumeTable(report, names)),
        card('firstAnswer', timesPlot(report, names, 'firstAnswer'), timesTable(report, names, 'firstAnswer'), !total.firstAnswer.count && words.noAnswers),
        card('resolution', timesPlot(report, names, 'resolution'), timesTable(report, names, 'resolution'), !total.resolution.count && words.noEnds),
        card('waiting', waitsPlot(report, names), waitsTable(report, names), !total.waiting.count && words.noWaits),
        card('ratings', ratingsPlot(report), ratingsTable(report, names), !total.rating.count && words.noRatings),
      ),
    );
  }

  /** It is not on show any more. */
  end() {
    for (const plot of this.#plots) plot.end();
  }

  /** @param {string|false} [none]  what to say in place of a plot without a value */
  #card(name, plot, table, none, { items }) {
    const heading = el('h2', { id: `plot-${name}` }, plot.title);
    const section = (...content) => el('section', { class: 'report-card', 'aria-labelledby': heading.id, data: { test: name } }, heading, ...content);
    if (none) return section(el('p', { class: 'muted' }, none));
    const view = new PlotView(plot, spoken(plot), `plot-${name}`);
    this.#plots.push(view);
    const isCut = name !== 'ratings' && plot.order === 'none' && items.length > plot.labels.length && plot.labels.length === MOST_BARS;
    return section(view.element, isCut && el('p', { class: 'muted' }, words.busiest({ number: counted(MOST_BARS) })), tableView(table, `table-${name}`));
  }
}

function figure({ name, test, value, notes }) {
  return el(
    'div',
    { class: 'figure', data: { test } },
    el('dt', {}, name),
    el('dd', { class: 'figure-value' }, value),
    notes.map((note) => el('dd', { class: 'muted' }, el('bdi', {}, note))),
  );
}
