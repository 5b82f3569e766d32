/**
 * A plot as inline SVG. It can be read without colour: each series has a pattern or a dash of its own, and marks of its own
 * shape. To assistive technology it is a picture with a text; the numbers are in the table below.
 */
import { el } from './dom.js';
import { layout } from './plot-layout.js';

const SVG = 'http://www.w3.org/2000/svg';
const LEAST = 240; // pixels; narrower ones are shrunk
const DASHES = ['', '7 4', '1 5', '9 4 1 4'];
/** The stripes of the patterns; the first series is plain. */
const STRIPES = [undefined, 'M-1 1L1 -1M0 6L6 0M5 7L7 5', 'M0 1.5H6', 'M1.5 0V6'];

let count = 0;

/** @param {string} tag @param {object} attributes @param {...(Node|string)} children */
function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Where a line's dots are, each series in a shape of its own. */
function dot({ x, y }, series) {
  const size = series < 2 ? 3.5 : 3;
  const shared = { class: `dot series-${series}` };
  if (series < 2) return svg('circle', { ...shared, cx: x, cy: y, r: size });
  return svg('rect', { ...shared, x: x - size, y: y - size, width: 2 * size, height: 2 * size });
}

function swatch(series, isLined, names) {
  const sample = svg('svg', { viewBox: '0 0 28 12', width: 28, height: 12, class: 'swatch', 'aria-hidden': 'true' });
  if (isLined) {
    sample.append(svg('path', { d: 'M0 6H28', class: `line series-${series}`, 'stroke-dasharray': DASHES[series] }), dot({ x: 14, y: 6 }, series));
  } else {
    sample.append(svg('rect', { x: 1, y: 1, width: 26, height: 10, class: `box series-${series}`, fill: fill(series, names) }));
  }
  return sample;
}

const fill = (series, names) => (STRIPES[series] ? `url(#${names}-${series})` : undefined);

function patterns(names) {
  return svg('defs', {}, ...STRIPES.flatMap((d, series) => {
    if (!d) return [];
    const ground = svg('rect', { width: 6, height: 6, class: `ground series-${series}` });
    return [svg('pattern', { id: `${names}-${series}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' }, ground, svg('path', { d, class: `stripe series-${series}` }))];
  }));
}

export class PlotView {
  #names = `plot-${(count += 1)}`;
  #plot;
  #text;
  #width = 0;
  #observer = new ResizeObserver(([{ contentRect }]) => this.#draw(contentRect.width));

  /** @param {import('./plot-layout.js').Plot} plot @param {string} text  what it shows, in words @param {string} test */
  constructor(plot, text, test) {
    this.#plot = plot;
    this.#text = text;
    this.picture = el('div', { class: 'picture', data: { test } });
    this.legend = el('ul', { class: 'legend', hidden: plot.series.length < 2 });
    this.element = el('div', { class: 'plot' }, this.legend, this.picture);
    this.#observer.observe(this.picture);
  }

  /** It is not on show any more. */
  end() {
    this.#observer.disconnect();
  }

  #draw(room) {
    const width = Math.max(LEAST, Math.round(room));
    if (room === 0 || width === this.#width) return;
    this.#width = width;
    const isTurned = getComputedStyle(this.picture).direction === 'rtl';
    const made = layout(this.#plot, width, isTurned);
    this.picture.replaceChildren(drawn(made, this.#names, this.#text));
    this.legend.replaceChildren(...this.#plot.series.map(({ name }, at) => el('li', {}, swatch(at, made.isLined, this.#names), el('bdi', {}, name))));
  }
}

/** @param {import('./plot-layout.js').Layout} made @param {string} names  of its patterns @param {string} text */
function drawn({ width, height, rules, words, boxes, lines, dots }, names, text) {
  const titled = (node, title) => (node.append(svg('title', {}, title)), node);
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': text },
    patterns(names),
    ...rules.map(({ isBase, ...ends }) => svg('line', { ...ends, class: isBase ? 'rule base' : 'rule' })),
    ...boxes.map(({ series, text: title, ...box }) => titled(svg('rect', { ...box, rx: Math.min(2, box.width / 2), class: `box series-${series}`, fill: fill(series, names) }), title)),
    ...lines.map(({ series, points }) => svg('polyline', { points: points.join(' '), class: `line series-${series}`, 'stroke-dasharray': DASHES[series] })),
    ...dots.map(({ series, text: title, ...at }) => titled(dot(at, series), title)),
    ...words.map(({ text: word, anchor, ...at }) => svg('text', { ...at, 'text-anchor': anchor }, word)),
  );
}
