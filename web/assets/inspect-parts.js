/** Small parts that the inspector's views share. */
import { el, setText } from './dom.js';
import { texts } from './texts.js';

/** A labelled field of a filter. Its `change` comes when the user has finished typing. */
export function filterField(label, test, value, change, attributes = {}) {
  const input = el('input', {
    type: 'search', value, data: { test }, autocomplete: 'off', spellcheck: 'false', ...attributes,
    on: { change: () => change(input.value.trim()), search: () => change(input.value.trim()) },
  });
  return el('label', { class: 'filter' }, el('span', {}, label), input);
}

/** A labelled choice of a filter. @param {[string, string][]} options  value and text of each */
export function filterChoice(label, test, value, options, change) {
  const select = el(
    'select',
    { data: { test }, on: { change: () => change(select.value) } },
    options.map(([one, text]) => el('option', { value: one, selected: one === value }, text)),
  );
  return el('label', { class: 'filter' }, el('span', {}, label), select);
}

/** A text with a button that copies it. @param {string} label  of the text @param {() => string} text */
export function copyLine(label, test, text) {
  const code = el('code', { data: { test } }, text);
  const button = el('button', {
    type: 'button', class: 'quiet', 'aria-label': texts.inspect.copyNamed({ what: label }), data: { test: `copy-${test}` },
    on: {
      click: async () => {
        await navigator.clipboard.writeText(code.textContent);
        setText(button, texts.inspect.copied);
      },
    },
  }, texts.inspect.copy);
  return el('div', { class: 'copy-line' }, el('span', { class: 'muted' }, label), el('pre', { tabindex: '0' }, code), button);
}

/** A table with a heading. `rows` are lists of cells. */
export function table(label, test, titles, rows) {
  return el(
    'div',
    { class: 'table', tabindex: '0', role: 'region', 'aria-label': label, data: { test } },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, titles.map((title) => el('th', { scope: 'col' }, title)))),
      el('tbody', {}, rows.map((cells) => el('tr', {}, cells.map((cell) => el('td', {}, cell ?? ''))))),
    ),
  );
}

/** How many of a list are on show. @param {number} shown @param {number} count @param {Function} all  the text for all of them @param {Function} some */
export const shownOf = (shown, count, all, some) => (shown === count ? all({ count }) : some({ shown, count }));

/** A word for a shell. @param {string} text */
export const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
