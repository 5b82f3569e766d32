/** What the views of the access page share. */
import { ask } from './dialogs.js';
import { el } from './dom.js';
import { dateAndTime } from './format.js';
import { copyLine, table } from './inspect-parts.js';
import { texts } from './texts.js';

const words = texts.access;

/** A button in a row of a table. @param {string} label @param {string} test @param {() => void} click */
export const rowButton = (label, test, click, style = 'quiet') =>
  el('button', { type: 'button', class: style, data: { test }, on: { click } }, label);

/** A view with a list, and a button above it that adds something.
 *  @param {string} label @param {string} submit  what the button says @param {string} test @param {() => void} add
 *  @returns {{element: HTMLElement, list: HTMLElement}} */
export function listView(label, submit, test, add) {
  const list = el('div');
  const button = el('button', { type: 'button', class: 'primary', data: { test }, on: { click: add } }, submit);
  return { list, element: el('section', { class: 'view scrolls', 'aria-label': label }, el('div', { class: 'filters' }, button), list) };
}

/** Fills the list with a table, or with a word in its place where it has no rows. */
export const showRows = (list, label, test, titles, rows, none) =>
  list.replaceChildren(rows.length ? table(label, test, titles, rows) : el('p', { class: 'muted' }, none));

/** A time as people read it; a word in place of none. @param {string} [time] */
export const shownTime = (time, none = words.never) =>
  time ? el('time', { datetime: time }, dateAndTime(time)) : none;

/** Whether the user is sure. @param {string} text @param {string} submit */
export const sure = (text, submit) => ask({ title: submit, text, submit, danger: true, test: 'sure' });

/** Channels as a person writes them: with spaces or commas between. @param {string} text */
export const channelsIn = (text) => text.split(/[\s,]+/).filter(Boolean);

/** Shows what is shown this once: a key's text, or an address. Resolves when the user has closed it.
 *  @param {string} title @param {string} text @param {[string, string][]} lines  label and text of each */
export const showOnce = (title, text, lines) =>
  ask({
    title,
    text,
    submit: texts.common.close,
    test: 'once',
    fields: lines.map(([label, line], at) => ({ name: `line${at}`, label, element: copyLine(label, `once-${at}`, line) })),
  });
