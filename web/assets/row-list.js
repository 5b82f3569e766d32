/**
 * A long list of rows of one line that unfold. Only a window of them is in the document, however many there are; at the
 * end the list follows what comes.
 */
import { el, place, set, soon } from './dom.js';
import { RowWindow } from './row-window.js';
import { roving } from './roving.js';

const NEAR = 300; // pixels

export class RowList {
  #how;
  #rows = [];
  #window = new RowWindow();
  #drawn = new Map(); // id -> {item, element, button, detail}
  #open = new Set();
  #refreshRoving;
  #draw = soon(() => this.#render());
  #follows = true;

  /** @param {{label: string, test: string, cells: (item: object) => Node[], detail: (item: object) => Node, kind?: (item: object) => string}} how
   *  `detail` is asked when a row is unfolded; `kind` becomes the row's `data-kind` */
  constructor(how) {
    this.#how = how;
    this.list = el('ol', { class: 'rows', 'aria-label': how.label });
    this.element = el('div', { class: 'row-list', data: { test: how.test }, on: { scroll: () => this.#scrolled() } }, this.list);
    this.#refreshRoving = roving(this.list, '.row', { last: true });
  }

  /** Shows these rows, each with an `id`. An item that has changed is another object. @param {readonly {id: string}[]} rows */
  show(rows) {
    this.#rows = rows;
    this.#draw();
  }

  /** Goes to the newest row, and follows from there. */
  toEnd() {
    this.#follows = true;
    this.#draw();
  }

  #render() {
    const isAtEnd = this.#follows;
    const anchor = isAtEnd ? undefined : this.#anchor();
    this.#window.settle(this.#rows, { follows: isAtEnd });
    this.#fill();
    if (isAtEnd) this.element.scrollTop = this.element.scrollHeight;
    else this.#hold(anchor);
  }

  #fill() {
    const items = this.#rows.slice(this.#window.from, this.#window.to);
    const before = this.#drawn;
    this.#drawn = new Map(items.map((item) => [item.id, this.#row(item, before.get(item.id))]));
    place(this.list, [...this.#drawn.values()].map(({ element }) => element));
    this.#refreshRoving();
  }

  #row(item, drawn) {
    if (drawn?.item === item) return drawn;
    const button = el(
      'button',
      { type: 'button', class: 'row', 'aria-expanded': String(this.#open.has(item.id)), on: { click: () => this.#toggle(item.id) } },
      this.#how.cells(item),
    );
    const row = { item, button, element: el('li', { data: { test: 'row', id: item.id } }, button) };
    set(row.element, 'data-kind', this.#how.kind?.(item));
    if (this.#open.has(item.id)) this.#unfold(row);
    return row;
  }

  #toggle(id) {
    const row = this.#drawn.get(id);
    if (this.#open.delete(id)) row.detail?.remove();
    else {
      this.#open.add(id);
      this.#unfold(row);
    }
    set(row.button, 'aria-expanded', String(this.#open.has(id)));
    // Who reads a row must not lose it to the next one that comes.
    this.#follows = this.#open.size === 0 && this.#isAtEnd;
  }

  get #isAtEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    return this.#window.to >= this.#rows.length && scrollHeight - scrollTop - clientHeight < 8;
  }

  #unfold(row) {
    row.detail = el('div', { class: 'row-detail' }, this.#how.detail(row.item));
    row.element.append(row.detail);
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    this.#follows = this.#isAtEnd;
    if (scrollTop < NEAR) this.#grow('previous');
    else if (scrollHeight - scrollTop - clientHeight < NEAR) this.#grow('next');
  }

  #grow(direction) {
    const anchor = this.#anchor();
    if (!this.#window.grow(this.#rows, direction)) return;
    this.#fill();
    this.#hold(anchor);
  }

  /** The first row in sight, and how far it is from the top. */
  #anchor() {
    const top = this.element.getBoundingClientRect().top;
    for (const [id, { element }] of this.#drawn) {
      const box = element.getBoundingClientRect();
      if (box.bottom > top) return { id, at: box.top - top };
    }
    return undefined;
  }

  /** Puts that row back where it was. */
  #hold(anchor) {
    const row = anchor && this.#drawn.get(anchor.id);
    if (!row) return;
    const at = row.element.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    if (at !== anchor.at) this.element.scrollTop += at - anchor.at;
  }
}
