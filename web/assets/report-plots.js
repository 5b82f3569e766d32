/** What the plots and tables of a report show: pure, from the gateway's answer to series and cells. */
import { counted, share } from './format.js';
import { label, lasting, shown } from './report-labels.js';
import { texts } from './texts.js';

const words = texts.reports;
/** More rows than these are in the table alone, where they have no order. */
export const MOST_BARS = 12;

/** @typedef {import('../parley.js').Report} Report
 *  @typedef {import('./plot-layout.js').Plot} Plot
 *  @typedef {{title: string, titles: string[], rows: string[][], total: string[], key?: string}} Table  `key`: of its first column */

const isOrdered = (by) => by === 'day' || by === 'hour';
const volumeOf = ({ opened, closed }) => opened + closed;
const valueOf = (times, name) => (times?.count ? times[name] : undefined);
const hasOpen = ({ items, total }, name) => [total, ...items].some((row) => row[`${name}Open`]?.count);

/** What came in and what was closed. @param {Report} report @param {object} names @returns {Plot} */
export function volumePlot(report, names) {
  const series = [['opened', words.opened], ['closed', words.closed]];
  return plotOf(report, names, {
    title: words.volume, kind: 'count', lined: 'columns', busy: volumeOf,
    series: series.map(([name, text]) => [text, (row) => row[name]]),
  });
}

/** How long something took: the median, and what nine of ten did not exceed. @param {'firstAnswer'|'resolution'} name */
export function timesPlot(report, names, name) {
  const series = [[words.median, name, 'medianSeconds'], [words.p90, name, 'p90Seconds']];
  if (hasOpen(report, name)) series.push([words.medianOpen, `${name}Open`, 'medianSeconds'], [words.p90Open, `${name}Open`, 'p90Seconds']);
  return plotOf(report, names, {
    title: words[name], kind: 'time', lined: 'lines', busy: (row) => row[name].count,
    series: series.map(([text, times, value]) => [text, (row) => valueOf(row[times], value)]),
  });
}

/** How long customers waited for each answer. @param {Report} report @returns {Plot} */
export function waitsPlot(report, names) {
  const series = [[words.meanWait, 'meanSeconds'], [words.longestWait, 'longestSeconds']];
  return plotOf(report, names, {
    title: words.waiting, kind: 'time', lined: 'lines', busy: (row) => row.waiting.count,
    series: series.map(([text, value]) => [text, (row) => valueOf(row.waiting, value)]),
  });
}

/** How often each score was given, the best first. @returns {Plot} */
export function ratingsPlot({ total: { rating } }) {
  const scores = rating.scores.map((count, at) => ({ score: at + 1, count })).reverse();
  const write = (count) => `${counted(count)} (${share(rating.count ? count / rating.count : 0)})`;
  return {
    title: words.ratings, kind: 'count', order: 'none', shape: 'bars', write,
    labels: scores.map(({ score }) => ({ short: scoreName(score), long: scoreName(score) })),
    series: [{ name: words.ratings, values: scores.map(({ count }) => count) }],
  };
}

const scoreName = (score) => words.score({ score: counted(score) }).replaceAll(' ', '\u00a0');

/** The rows with something in them, the busiest first; those of days and hours in their order. */
function rowsOf({ by, items }, busy) {
  const rows = items.filter((row) => busy(row) > 0);
  return isOrdered(by) ? rows : rows.sort((a, b) => busy(b) - busy(a));
}

function plotOf(report, names, { title, kind, lined, busy, series }) {
  const { by, items } = report;
  const rows = isOrdered(by) ? items : rowsOf(report, busy).slice(0, MOST_BARS);
  return {
    title, kind, order: isOrdered(by) ? by : 'none', shape: isOrdered(by) ? lined : 'bars',
    write: (value) => shown(value, kind),
    labels: rows.map(({ key }) => label(by, key, names)),
    series: series.map(([name, value]) => ({ name, values: rows.map(value) })),
  };
}

/** A plot in words. @param {Plot} plot */
export function spoken({ title, series, labels, write, kind }) {
  const said = series.map(({ name, values }) => {
    const found = values.filter((one) => one !== undefined);
    if (!found.length) return `${name}: ${shown(undefined, kind)}`;
    const most = Math.max(...found);
    return words.range({ name, least: write(Math.min(...found)), most: write(most), where: labels[values.indexOf(most)].long });
  });
  return [title, ...said, words.seeTable].join('. ');
}

// MARK: Tables

/** @param {Report} report @returns {Table} */
export function volumeTable(report, names) {
  const columns = ['opened', 'reopened', 'closed', 'messagesIn', 'messagesOut', 'automaticOnly'];
  const rows = isOrdered(report.by) ? report.items : rowsOf(report, volumeOf);
  return tableOf(report, names, words.volume, columns.map((name) => [words[name], (row) => counted(row[name])]), rows);
}

/** Of the rows in which there is something. @param {'firstAnswer'|'resolution'} name @returns {Table} */
export function timesTable(report, names, name) {
  const columns = [
    [words.count, (row) => counted(row[name].count)],
    [words.median, (row) => shown(valueOf(row[name], 'medianSeconds'), 'time')],
    [words.p90, (row) => shown(valueOf(row[name], 'p90Seconds'), 'time')],
  ];
  if (hasOpen(report, name)) {
    columns.push(
      [words.medianOpen, (row) => shown(valueOf(row[`${name}Open`], 'medianSeconds'), 'time')],
      [words.p90Open, (row) => shown(valueOf(row[`${name}Open`], 'p90Seconds'), 'time')],
    );
  }
  return tableOf(report, names, words[name], columns, rowsOf(report, (row) => row[name].count));
}

/** @returns {Table} */
export function waitsTable(report, names) {
  const time = (value) => ({ waiting }) => shown(valueOf(waiting, value), 'time');
  const columns = [
    [words.count, ({ waiting }) => counted(waiting.count)], [words.meanWait, time('meanSeconds')], [words.longestWait, time('longestSeconds')],
  ];
  return tableOf(report, names, words.waiting, columns, rowsOf(report, ({ waiting }) => waiting.count));
}

/** @returns {Table} */
export function ratingsTable(report, names) {
  const scores = [4, 3, 2, 1, 0].map((at) => [scoreName(at + 1), ({ rating }) => counted(rating.scores[at])]);
  const columns = [[words.count, ({ rating }) => counted(rating.count)], [words.mean, ({ rating }) => meanOf(rating)], ...scores];
  return tableOf(report, names, words.ratings, columns, rowsOf(report, ({ rating }) => rating.count));
}

/** @param {{count: number, mean?: number}} rating */
export const meanOf = ({ mean }) => shown(mean, 'count');

function tableOf({ by, total }, names, title, columns, rows) {
  const cells = (row) => columns.map(([, value]) => value(row));
  return {
    title: `${title} · ${words.groupings[by]}`,
    titles: [words.groupings[by], ...columns.map(([name]) => name)],
    rows: rows.map((row) => [label(by, row.key, names).long, ...cells(row)]),
    total: [words.total, ...cells(total)],
  };
}

// MARK: The figures on top

/** @returns {{name: string, test: string, value: string, notes: string[]}[]} */
export function headline({ total }) {
  const times = (name) => {
    const { [name]: plain, [`${name}Open`]: open } = total;
    const notes = plain.count ? [words.nineOfTen({ duration: lasting(plain.p90Seconds) })] : [];
    if (open?.count) notes.push(words.inHours({ median: lasting(open.medianSeconds), p90: lasting(open.p90Seconds) }));
    return { test: `figure-${name}`, name: words[`${name}Median`], value: shown(valueOf(plain, 'medianSeconds'), 'time'), notes };
  };
  return [
    { test: 'figure-opened', name: words.opened, value: counted(total.opened), notes: [words.ofThemReopened({ number: counted(total.reopened) })] },
    { test: 'figure-closed', name: words.closed, value: counted(total.closed), notes: [words.ofThemAutomatic({ number: counted(total.automaticOnly) })] },
    times('firstAnswer'),
    times('resolution'),
    { test: 'figure-rating', name: words.mean, value: meanOf(total.rating), notes: [words.ratingCount({ count: total.rating.count })] },
    { test: 'figure-messages', name: words.messages, value: counted(total.messagesIn + total.messagesOut), notes: [words.inAndOut({ received: counted(total.messagesIn), sent: counted(total.messagesOut) })] },
  ];
}

/** Whether there is anything to show. @param {Report} report */
export const isEmpty = ({ total }) => total.opened + total.closed + total.rating.count === 0;
