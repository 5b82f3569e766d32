/** Where the marks of a plot are. It is in pixels of a given width, and knows nothing of the page. */
import { every, fitting, ticks, widthOf } from './plot-scale.js';

/**
 * @typedef {{name: string, values: (number|undefined)[]}} Series
 * @typedef {{title: string, kind: 'count'|'time', order: 'hour'|'day'|'none', shape: 'columns'|'lines'|'bars',
 *            labels: {short: string, long: string}[], series: Series[], write: (value: number) => string}} Plot
 *  `bars` lie beside their names, for what has no order; `columns` and `lines` go along a line of time.
 *
 * @typedef {{x: number, y: number, width: number, height: number, series: number, text: string}} Box
 * @typedef {{x: number, y: number, text: string, anchor: 'start'|'middle'|'end'}} Word
 * @typedef {{width: number, height: number, isLined: boolean, rules: {x1: number, y1: number, x2: number, y2: number, isBase?: boolean}[],
 *            words: Word[], boxes: Box[], lines: {series: number, points: [number, number][]}[],
 *            dots: {x: number, y: number, series: number, text: string}[]}} Layout
 */

const HEIGHT = 220;
const [TOP, BOTTOM, END] = [10, 28, 12];
const THINNEST = 5; // pixels of a column: narrower ones become lines
const HOURS = [1, 2, 3, 4, 6, 12];

/** @param {Plot} plot @param {number} width @param {boolean} [isTurned]  for languages from right to left @returns {Layout} */
export function layout(plot, width, isTurned = false) {
  const made = plot.shape === 'bars' ? bars(plot, width) : along(plot, width);
  return isTurned ? turned(made) : made;
}

const most = ({ series }) => Math.max(0, ...series.flatMap(({ values }) => values.filter((one) => one !== undefined)));
const told = ({ labels, series, write }, one, at) => `${labels[at].long} · ${series[one].name}: ${write(series[one].values[at])}`;

function along(plot, width) {
  const { labels, series, write } = plot;
  const values = ticks(most(plot), plot.kind);
  const start = Math.max(...values.map((one) => widthOf(write(one)))) + 12;
  const [inner, floor] = [width - start - END, HEIGHT - BOTTOM];
  const step = inner / labels.length;
  const x = (at) => start + step * (at + 0.5);
  const y = (value) => floor - (value / values.at(-1)) * (floor - TOP);
  const rules = values.map((one, at) => ({ x1: start, y1: y(one), x2: width - END, y2: y(one), isBase: at === 0 }));
  const words = values.map((one) => ({ x: start - 8, y: y(one) + 4, text: write(one), anchor: 'end' }));
  words.push(...below(plot, x, step, width));
  const group = Math.min(step * 0.72, 30 * series.length);
  const isWide = group / series.length >= THINNEST;
  const marks = plot.shape === 'columns' && isWide ? columns(plot, x, y, group) : paths(plot, x, y, step);
  return { width, height: HEIGHT, isLined: !marks.boxes, rules, words, boxes: [], lines: [], dots: [], ...marks };
}

/** The labels below, as many as fit. */
function below({ labels, order }, x, step, width) {
  const widest = Math.max(...labels.map(({ short }) => widthOf(short)));
  const each = every(step, widest + 14, order === 'hour' ? HOURS : undefined);
  return labels
    .map(({ short }, at) => ({ x: x(at), y: HEIGHT - 8, text: short, anchor: 'middle' }))
    .filter((one, at) => at % each === 0 && one.x + widthOf(one.text) / 2 <= width);
}

function columns(plot, x, y, group) {
  const one = group / plot.series.length;
  const boxes = plot.series.flatMap(({ values }, series) =>
    values.map((value, at) => ({
      x: x(at) - group / 2 + one * series + 0.5,
      y: y(value ?? 0),
      width: one - 1,
      height: y(0) - y(value ?? 0),
      series,
      text: value === undefined ? '' : told(plot, series, at),
    })));
  return { boxes: boxes.filter(({ height }) => height > 0) };
}

/** Lines with a gap where there is no value. A value between two gaps has a dot, and so have all where there is room. */
function paths(plot, x, y, step) {
  const [lines, dots] = [[], []];
  for (const [series, { values }] of plot.series.entries()) {
    let points = [];
    const end = () => {
      if (points.length > 1) lines.push({ series, points });
      points = [];
    };
    for (const [at, value] of values.entries()) {
      if (value === undefined) {
        end();
        continue;
      }
      points.push([x(at), y(value)]);
      const isAlone = values[at - 1] === undefined && values[at + 1] === undefined;
      if (step >= 12 || isAlone) dots.push({ x: x(at), y: y(value), series, text: told(plot, series, at) });
    }
    end();
  }
  return { lines, dots };
}

function bars(plot, width) {
  const { labels, series, write } = plot;
  const [thick, gap] = [series.length > 1 ? 15 : 22, 12];
  const start = Math.min(width * 0.36, Math.max(...labels.map(({ short }) => widthOf(short))) + 12);
  const written = series.flatMap(({ values }) => values.filter((one) => one !== undefined).map((one) => widthOf(write(one))));
  const inner = width - start - Math.max(0, ...written) - 12;
  const size = thick * series.length + gap;
  const scale = Math.max(most(plot), 1);
  const [words, boxes] = [[], []];
  for (const [at, { short }] of labels.entries()) {
    const top = at * size + gap / 2;
    words.push({ x: start - 10, y: top + (size - gap) / 2 + 4, text: fitting(short, start - 12), anchor: 'end' });
    for (const [one, { values }] of series.entries()) {
      if (values[at] === undefined) continue;
      const box = { x: start, y: top + thick * one + 2, width: (values[at] / scale) * inner, height: thick - 4, series: one };
      boxes.push({ ...box, text: told(plot, one, at) });
      words.push({ x: start + box.width + 6, y: box.y + box.height / 2 + 4, text: write(values[at]), anchor: 'start' });
    }
  }
  const height = labels.length * size;
  return { width, height, isLined: false, rules: [{ x1: start, y1: 0, x2: start, y2: height, isBase: true }], words, boxes, lines: [], dots: [] };
}

const OTHER = { start: 'end', middle: 'middle', end: 'start' };

/** The same from right to left. */
function turned({ width, ...made }) {
  return {
    ...made,
    width,
    rules: made.rules.map((one) => ({ ...one, x1: width - one.x1, x2: width - one.x2 })),
    words: made.words.map((one) => ({ ...one, x: width - one.x, anchor: OTHER[one.anchor] })),
    boxes: made.boxes.map((one) => ({ ...one, x: width - one.x - one.width })),
    lines: made.lines.map((one) => ({ ...one, points: one.points.map(([x, y]) => [width - x, y]) })),
    dots: made.dots.map((one) => ({ ...one, x: width - one.x })),
  };
}
