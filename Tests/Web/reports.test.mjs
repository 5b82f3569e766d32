import assert from 'node:assert/strict';
import test from 'node:test';
import { layout } from '../../web/assets/plot-layout.js';
import { every, fitting, ticks, widthOf } from '../../web/assets/plot-scale.js';
import { choiceIn, dateOf, dayOf, queryOf, searchOf, timeOf, withSpan } from '../../web/assets/report-choice.js';
import { label, lasting } from '../../web/assets/report-labels.js';
import {
  headline, isEmpty, MOST_BARS, ratingsPlot, ratingsTable, spoken, timesPlot, timesTable, volumePlot, volumeTable, waitsPlot, waitsTable,
} from '../../web/assets/report-plots.js';
import { nowText } from '../../web/assets/report-now.js';
import { ReportSource } from '../../web/assets/report-source.js';

process.env.TZ = 'Europe/Berlin';

const plain = (text) => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');
const times = (medianSeconds, p90Seconds, count = 1) => (medianSeconds === undefined ? { count: 0 } : { count, medianSeconds, p90Seconds });
const row = (key, opened, closed, more = {}) => ({
  key, opened, reopened: 0, closed, messagesIn: 2 * opened, messagesOut: opened, automaticOnly: 0,
  firstAnswer: times(), resolution: times(), waiting: { count: 0 }, rating: { count: 0, scores: [0, 0, 0, 0, 0] }, ...more,
});
const NAMES = { agent: new Map([['mara', 'Mara Lind']]), channel: new Map(), tag: new Map() };

/** Three days; nothing was answered on the second. */
const DAYS = {
  by: 'day',
  items: [
    row('2026-11-27', 4, 3, { firstAnswer: times(42, 95, 4) }),
    row('2026-11-28', 0, 1),
    row('2026-11-29', 1200, 0, { firstAnswer: times(60, 7200), rating: { count: 3, mean: 4.33, scores: [0, 0, 1, 0, 2] } }),
  ],
  total: row('', 1204, 4, { reopened: 1, firstAnswer: times(45, 7000, 5), resolution: times(90_000, 200_000, 4), rating: { count: 3, mean: 4.33, scores: [0, 0, 1, 0, 2] } }),
};

// MARK: Scales

test('lines of counts are whole and round, and reach the greatest value', () => {
  assert.deepEqual(ticks(0, 'count'), [0, 1]);
  assert.deepEqual(ticks(3, 'count'), [0, 1, 2, 3]);
  assert.deepEqual(ticks(34, 'count'), [0, 10, 20, 30, 40]);
  assert.deepEqual(ticks(1204, 'count'), [0, 500, 1000, 1500]);
  for (let most = 0; most < 5000; most += 7) {
    const lines = ticks(most, 'count');
    assert.ok(lines.at(-1) >= most && lines.length <= 6 && lines.every(Number.isInteger), `${most}: ${lines}`);
  }
});

test('lines of times are whole seconds, minutes, hours or days', () => {
  assert.deepEqual(ticks(50, 'time'), [0, 15, 30, 45, 60]);
  assert.deepEqual(ticks(200, 'time'), [0, 60, 120, 180, 240]);
  assert.deepEqual(ticks(20_000, 'time').map(lasting).map(plain), ['0s', '2h', '4h', '6h']);
  assert.deepEqual(ticks(3 * 86_400, 'time').map(lasting).map(plain), ['0s', '1d', '2d', '3d']);
  assert.deepEqual(ticks(30 * 86_400, 'time').map(lasting).map(plain), ['0s', '10d', '20d', '30d']);
});

test('labels stand where they fit', () => {
  assert.equal(every(60, 40), 1);
  assert.equal(every(10, 45), 5);
  assert.equal(every(10, 45, [1, 2, 3, 4, 6, 12]), 6);
  assert.equal(fitting('Mara', 100), 'Mara');
  const short = fitting('A name that is much too long', 80);
  assert.ok(short.endsWith('…') && widthOf(short) <= 80 && short.startsWith('A name'));
});

// MARK: Words

test('a length of time has its two greatest units', () => {
  const said = [0, 0.4, 59, 60, 200, 3600, 3661, 12_000, 90_000, 200_000].map(lasting).map(plain);
  assert.deepEqual(said, ['0s', '0s', '59s', '1m', '3m 20s', '1h', '1h 1m', '3h 20m', '1d 1h', '2d 7h']);
});

test('rows are named for people', () => {
  const at = new Date(2026, 10, 29);
  assert.deepEqual(label('day', '2026-11-29', NAMES, at), { short: 'Nov 29', long: 'Sun, Nov 29' });
  assert.equal(label('day', '2025-11-29', NAMES, at).long, 'Sat, Nov 29, 2025');
  assert.deepEqual(Object.values(label('hour', '09', NAMES)).map(plain), ['9 AM', '9:00 – 10:00 AM']);
  assert.equal(label('agent', 'mara', NAMES).long, 'Mara Lind');
  assert.equal(label('agent', 'gone', NAMES).long, 'gone');
  assert.equal(label('agent', '', NAMES).long, 'Nobody');
  assert.equal(label('tag', '', NAMES).long, 'Without a tag');
  assert.equal(label('tag', '0b8f', NAMES).long, 'A tag that was removed');
});

test('what waits now is told in one line', () => {
  const now = Date.parse('2026-11-29T10:00:00Z');
  assert.deepEqual(nowText({ open: 12, waiting: 0 }, now), ['12 open', '0 waiting']);
  assert.deepEqual(nowText({ open: 10_000, waiting: 3, longestWaitingSince: '2026-11-29T09:35:10Z' }, now), ['10,000+ open', '3 waiting', 'the longest for 24 min']);
  assert.equal(nowText({ open: 1, waiting: 1, longestWaitingSince: '2026-11-29T10:00:02Z' }, now).at(-1), 'the longest for less than a minute');
});

// MARK: Times

const spanOf = (choice, now) => Object.values(timeOf(choice, now)).map((one) => dateOf(one));

test('a span is whole days of this browser’s zone', () => {
  const now = new Date(2026, 10, 29, 15, 30);
  assert.deepEqual(spanOf({ span: 'today' }, now), ['2026-11-29', '2026-11-30']);
  assert.deepEqual(spanOf({ span: 'yesterday' }, now), ['2026-11-28', '2026-11-29']);
  assert.deepEqual(spanOf({ span: 'week' }, now), ['2026-11-23', '2026-11-30']);
  assert.deepEqual(spanOf({ span: 'days' }, now), ['2026-10-31', '2026-11-30']);
  assert.deepEqual(spanOf({ span: 'month' }, now), ['2026-11-01', '2026-11-30']);
  assert.deepEqual(spanOf({ span: 'own', from: '2026-02-27', to: '2026-02-28' }, now), ['2026-02-27', '2026-03-01']);
  const { since, until } = timeOf({ span: 'own', from: '2026-10-25', to: '2026-10-25' });
  assert.equal(until - since, 25 * 3_600_000, 'the day on which clocks go back');
  assert.equal(queryOf({ by: 'day' }, { since, until }).since, '2026-10-24T22:00:00.000Z');
});

test('dates that are no time are told apart', () => {
  for (const [from, to] of [[undefined, '2026-01-01'], ['2026-01-02', '2026-01-01'], ['2025-01-01', '2026-01-02']]) {
    assert.equal(timeOf({ span: 'own', from, to }), undefined, `${from} ${to}`);
  }
  assert.ok(timeOf({ span: 'own', from: '2024-01-01', to: '2024-12-31' }), '366 days');
  assert.equal(dayOf('2026-02-30'), undefined);
  assert.equal(dayOf('x'), undefined);
});

test('a choice stands in the address, and what is not understood there is left out', () => {
  const choice = { span: 'own', by: 'agent', channel: 'multi', from: '2026-01-01', to: '2026-01-31', whose: 'mine' };
  assert.deepEqual(choiceIn(searchOf(choice)), choice);
  assert.equal(searchOf({ ...choice, span: 'week', whose: undefined }), '?span=week&by=agent&channel=multi');
  const usual = { span: 'days', by: 'day', channel: undefined, from: undefined, to: undefined, whose: undefined };
  assert.deepEqual(choiceIn('?span=ever&by=__proto__&from=2026-13-01&whose=all'), usual);
});

test('one day is shown by its hours', () => {
  assert.equal(withSpan({ span: 'days', by: 'day' }, 'today').by, 'hour');
  assert.equal(withSpan({ span: 'today', by: 'hour' }, 'week').by, 'day');
  assert.equal(withSpan({ span: 'days', by: 'agent' }, 'today').by, 'agent');
  assert.equal(withSpan({ span: 'days', by: 'hour' }, 'week').by, 'hour');
});

// MARK: Plots and tables

test('waits have their mean and the longest, and a gap where nobody waited', () => {
  const waiting = { count: 2, meanSeconds: 90, longestSeconds: 150 };
  const report = { by: 'day', items: [row('2026-11-28', 1, 0), row('2026-11-29', 2, 0, { waiting })], total: row('', 3, 0, { waiting }) };
  assert.deepEqual(waitsPlot(report, NAMES).series.map(({ values }) => values), [[undefined, 90], [undefined, 150]]);
  const { rows, total } = waitsTable(report, NAMES);
  assert.deepEqual([rows, [total]].map((found) => found.map((cells) => cells.slice(1).map(plain))), [[['2', '1m 30s', '2m 30s']], [['2', '1m 30s', '2m 30s']]]);
});

test('plots have the figures of the report, and no value where there is none', () => {
  const volume = volumePlot(DAYS, NAMES);
  assert.deepEqual(volume.series, [{ name: 'Opened', values: [4, 0, 1200] }, { name: 'Closed', values: [3, 1, 0] }]);
  assert.deepEqual([volume.shape, volume.order], ['columns', 'day']);
  const first = timesPlot(DAYS, NAMES, 'firstAnswer');
  assert.deepEqual(first.series.map(({ values }) => values), [[42, undefined, 60], [95, undefined, 7200]]);
  assert.equal(first.shape, 'lines');
  assert.deepEqual(ratingsPlot(DAYS).series[0].values, [2, 0, 1, 0, 0]);
  assert.equal(plain(ratingsPlot(DAYS).labels[0].long), '5 of 5');
  assert.equal(ratingsPlot(DAYS).write(2), '2 (67%)');
});

test('times within opening hours are shown where there are some', () => {
  const items = [row('multi', 1, 1, { resolution: times(9000, 9000) }), row('shop', 2, 2, { resolution: times(9000, 9000), resolutionOpen: times(60, 70) })];
  const report = { by: 'channel', items, total: { ...items[1], firstAnswer: times() } };
  assert.deepEqual(timesPlot(report, NAMES, 'resolution').series.map(({ values }) => values), [[9000, 9000], [9000, 9000], [undefined, 60], [undefined, 70]]);
  assert.equal(timesTable(report, NAMES, 'resolution').titles.length, 6);
  assert.equal(timesPlot(report, NAMES, 'firstAnswer').series.length, 2);
  assert.deepEqual(headline(report)[3].notes.map(plain), ['9 of 10 within 2h 30m', 'In opening hours: 1m, 9 of 10 within 1m 10s']);
});

test('what has no order lies with the busiest on top, and not all of it', () => {
  const items = Array.from({ length: 20 }, (_, at) => row(`a${at}`, at, 0));
  const report = { by: 'agent', items, total: row('', 190, 0) };
  const plot = volumePlot(report, NAMES);
  assert.deepEqual([plot.shape, plot.labels.length, plot.labels[0].long], ['bars', MOST_BARS, 'a19']);
  const { rows } = volumeTable(report, NAMES);
  assert.deepEqual([rows.length, rows[0][0], rows.at(-1)[0]], [19, 'a19', 'a1'], 'the table has all but those without a figure');
  assert.equal(items[0].key, 'a0', 'the report itself keeps its order');
});

test('tables say the same, with the sum below', () => {
  const volume = volumeTable(DAYS, NAMES);
  assert.equal(volume.titles.length, 7);
  assert.deepEqual(volume.rows.map((cells) => cells.slice(1, 4)), [['4', '0', '3'], ['0', '0', '1'], ['1,200', '0', '0']]);
  assert.deepEqual(volume.total.slice(0, 4), ['Total', '1,204', '1', '4']);
  const first = timesTable(DAYS, NAMES, 'firstAnswer');
  assert.deepEqual(first.rows.map((cells) => cells.map(plain).slice(1)), [['4', '42s', '1m 35s'], ['1', '1m', '2h']]);
  assert.deepEqual(ratingsTable(DAYS, NAMES).total.map(plain), ['Total', '3', '4.33', '2', '0', '1', '0', '0']);
});

test('a plot is told in words', () => {
  assert.equal(
    plain(spoken(timesPlot(DAYS, NAMES, 'firstAnswer'))),
    'Time to the first answer. Median: from 42s to 1m, the most at Sun, Nov 29. 9 of 10 within: from 1m 35s to 2h, the most at Sun, Nov 29. The table below has the numbers.',
  );
  assert.ok(spoken(timesPlot(DAYS, NAMES, 'resolution')).includes('Median: –'));
});

test('a report without anything is empty, one with a rating alone is not', () => {
  assert.ok(isEmpty({ total: row('', 0, 0) }));
  assert.ok(!isEmpty({ total: row('', 0, 0, { rating: { count: 1, scores: [1, 0, 0, 0, 0] } }) }));
});

// MARK: Layout

test('columns stand side by side on one floor, as high as their values', () => {
  const { boxes, rules, isLined } = layout(volumePlot(DAYS, NAMES), 600);
  const floor = rules.find(({ isBase }) => isBase).y1;
  assert.ok(!isLined);
  assert.equal(boxes.length, 4, 'nothing has no column');
  for (const box of boxes) assert.ok(Math.abs(box.y + box.height - floor) < 1e-6 && box.x >= 0 && box.x + box.width <= 600);
  const [opened, closed] = [boxes.find(({ text }) => text.includes('Nov 27 · Opened: 4')), boxes.find(({ text }) => text.includes('Nov 27 · Closed: 3'))];
  assert.ok(opened.x + opened.width <= closed.x && Math.abs(opened.height / closed.height - 4 / 3) < 1e-6);
});

test('many days become lines, with gaps where there is no value', () => {
  const items = Array.from({ length: 200 }, (_, at) => row(dateOf(new Date(2026, 0, 1 + at)), at, 0));
  const made = layout(volumePlot({ by: 'day', items, total: row('', 1, 0) }, NAMES), 400);
  assert.ok(made.isLined && made.lines.length === 2 && made.boxes.length === 0 && made.dots.length === 0);
  const gap = layout(timesPlot(DAYS, NAMES, 'firstAnswer'), 400);
  assert.deepEqual([gap.lines.length, gap.dots.length], [0, 4], 'values between gaps have a dot');
  for (const { words } of [made, gap]) {
    const below = words.filter(({ anchor }) => anchor === 'middle');
    assert.ok(below.length > 1 && below.every((one, at) => at === 0 || one.x - below[at - 1].x >= widthOf(one.text)), 'labels do not touch');
    assert.ok(words.every(({ x, text, anchor }) => (anchor === 'end' ? x - widthOf(text) >= 0 : x + widthOf(text) / 2 <= 400)), 'and are not cut');
  }
});

test('bars have room for names and numbers in a narrow window', () => {
  const items = [row('a name that is much too long for a phone in anybody’s hand', 12_345, 1), row('b', 1, 0)];
  const { boxes, words, height } = layout(volumePlot({ by: 'channel', items, total: row('', 1, 1) }, NAMES), 260);
  assert.ok(boxes.every(({ x, width, y, height: high }) => x >= 0 && x + width <= 260 && y >= 0 && y + high <= height));
  for (const { x, text, anchor } of words) {
    assert.ok(anchor === 'end' ? x - widthOf(text) >= -0.01 : x + widthOf(text) <= 260.01, `${text} fits`);
  }
});

test('from right to left a plot is its own mirror image', () => {
  for (const plot of [volumePlot(DAYS, NAMES), timesPlot(DAYS, NAMES, 'firstAnswer'), ratingsPlot(DAYS)]) {
    const [straight, turned] = [layout(plot, 500), layout(plot, 500, true)];
    assert.equal(straight.height, turned.height);
    straight.boxes.forEach((box, at) => assert.ok(Math.abs(500 - box.x - box.width - turned.boxes[at].x) < 1e-6));
    straight.dots.forEach((dot, at) => assert.equal(500 - dot.x, turned.dots[at].x));
    straight.words.forEach(({ anchor }, at) => assert.equal(turned.words[at].anchor, { start: 'end', middle: 'middle', end: 'start' }[anchor]));
  }
});

// MARK: The source

function storage(person) {
  globalThis.localStorage = { getItem: () => (person ? JSON.stringify(person) : null) };
}

test('agents get their own figures; others the team’s, unless their right has gone', async (t) => {
  t.after(() => delete globalThis.localStorage);
  const asked = [];
  let answer = () => ({});
  const parley = { request: async (method, path) => (asked.push(path), answer(path)) };
  storage({ id: 'bo', name: 'Bo', role: 'agent' });
  const source = new ReportSource(parley);
  assert.ok(source.isOwn && !source.mayChoose({ role: 'agent' }) && !source.mayChoose(undefined) && source.mayChoose({ role: 'supervisor' }));
  await source.report({});
  storage({ id: 'mara', name: 'Mara', role: 'supervisor' });
  await source.report({});
  await source.report({}, 'mine');
  assert.deepEqual(asked.splice(0), ['/v1/me/reports', '/v1/desk/reports', '/v1/me/reports']);
  answer = (path) => {
    if (path === '/v1/desk/reports') throw Object.assign(new Error(), { status: 403 });
  };
  await source.report({});
  await source.report({});
  assert.deepEqual(asked.splice(0), ['/v1/desk/reports', '/v1/me/reports', '/v1/me/reports']);
  assert.ok(source.isOwn);
  storage(undefined);
  await assert.rejects(new ReportSource(parley).report({}), { status: 403 });
});

test('the table is asked for with the same query', async (t) => {
  t.after(() => delete globalThis.localStorage);
  storage(undefined);
  const asked = [];
  await new ReportSource({ download: async (path) => asked.push(path) }).table({ since: 'a', until: 'b', timeZone: 'Europe/Berlin', by: 'day', channel: ['x y'] });
  assert.deepEqual(asked, ['/v1/desk/reports?since=a&until=b&timeZone=Europe%2FBerlin&by=day&format=csv&channel=x+y']);
});
