/**
 * The marks in a message's text: **bold**, *italic* or _italic_, ~~struck~~, `code`, blocks of code, > quotes, and links. Makes
 * a tree of a text and touches no page; `markup-view.js` makes elements of the tree. Only the tags below ever occur, and of
 * attributes only a link's checked address. What is no mark stays as it was written. The time grows with the text's length.
 *
 * @typedef {string|{tag: 'strong'|'em'|'s'|'code'|'pre'|'blockquote'|'a', href?: string, children: MarkupNode[]}} MarkupNode
 */
import { addressAt, labelledAt } from './links.js';

const TAGS = { '**': 'strong', '*': 'em', _: 'em', '~~': 's' };
const BLOCKS = new Set(['pre', 'blockquote']);
const FENCE = /^```[\w+-]*\s*$/;
const SPECIAL = /[*_~`[]|https?:\/\//gi;
const BEFORE = /^$|[\s([{"'“‘«*_~—–-]/u; // what may stand before a mark that opens
const AFTER = /^$|[\s)\]}"'”’»*_~.,;:!?…—–-]/u; // and behind one that closes

/** @param {string} text @returns {MarkupNode[]} */
export function markup(text) {
  const lines = text.split('\n');
  const fences = lines.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
  const nodes = [];
  let isAfterLine = false;
  let fence = 0;
  for (let at = 0; at < lines.length; ) {
    while (fences[fence] < at) fence++;
    const { node, next } = block(lines, at, fences[fence] === at ? fences[fence + 1] : undefined);
    if (node) nodes.push(node);
    else {
      if (isAfterLine) append(nodes, '\n');
      for (const one of inline(lines[at])) append(nodes, one);
    }
    isAfterLine = !node;
    at = next;
  }
  return nodes;
}

/** A text without its marks, for one line: a preview, a notification. @param {string} text */
export const plain = (text) => words(markup(text)).replace(/\s+/g, ' ').trim();

function words(nodes) {
  const word = (one) => (typeof one === 'string' ? one : BLOCKS.has(one.tag) ? ` ${words(one.children)} ` : words(one.children));
  return nodes.map(word).join('');
}

/** The block that begins with a line, if any, and the line behind. @param {number|undefined} end  where its fence ends */
function block(lines, at, end) {
  if (end !== undefined) return { node: { tag: 'pre', children: [lines.slice(at + 1, end).join('\n')] }, next: end + 1 };
  let next = at;
  while (next < lines.length && lines[next].startsWith('> ')) next++;
  if (next === at) return { next: at + 1 };
  const children = [];
  for (let line = at; line < next; line++) {
    if (line > at) append(children, '\n');
    for (const one of inline(lines[line].slice(2))) append(children, one);
  }
  return { node: { tag: 'blockquote', children }, next };
}

/** One line. @param {string} line @returns {MarkupNode[]} */
function inline(line) {
  const open = [{ children: [] }]; // the line, and in it the marks that are open, innermost last
  const top = () => open.at(-1).children;
  let hasCode = true;
  let at = 0;
  SPECIAL.lastIndex = 0;
  for (let found; (found = SPECIAL.exec(line)); ) {
    const { index } = found;
    append(top(), line.slice(at, index));
    at = index;
    const char = line[index];
    const link = char === '[' ? labelledAt(line, index) : /h/i.test(char) ? addressAt(line, index) : undefined;
    const close = char === '`' && hasCode ? line.indexOf('`', index + 1) : -1;
    if (char === '`' && close < 0) hasCode = false;
    if (link) {
      top().push({ tag: 'a', href: link.href, children: [link.label ?? link.text] });
      at += link.text.length;
    } else if (close > index + 1) {
      top().push({ tag: 'code', children: [line.slice(index + 1, close)] });
      at = close + 1;
    } else if ('*_~'.includes(char)) {
      const [run] = /^(.)\1*/.exec(line.slice(index, index + 5));
      let end = index + run.length;
      while (line[end] === char) end++;
      mark(open, line.slice(index, end), line.slice(index - 1, index), line.slice(end, end + 1));
      at = end;
    } else {
      append(top(), found[0]);
      at += found[0].length;
    }
    SPECIAL.lastIndex = at;
  }
  append(top(), line.slice(at));
  while (open.length > 1) forget(open);
  return open[0].children;
}

/** A run of one sign: closes what it can close, else opens what it can open, else is text. */
function mark(open, run, before, after) {
  const marks = run === '***' ? ['**', '*'] : TAGS[run] ? [run] : [];
  const isOpen = (name) => open.some((one) => one.name === name);
  const mayClose = AFTER.test(after) && before.trim() !== '' && marks.length > 0 && marks.every(isOpen);
  if (mayClose) {
    for (const name of marks.length > 1 ? [open.findLast((one) => marks.includes(one.name)).name, undefined] : marks) {
      const wanted = name ?? marks.find(isOpen);
      while (open.at(-1).name !== wanted) forget(open);
      const { children } = open.pop();
      open.at(-1).children.push({ tag: TAGS[wanted], children });
    }
  } else if (marks.length && BEFORE.test(before) && after.trim() !== '') {
    for (const name of marks) {
      while (isOpen(name)) forget(open); // the nearest one counts
      open.push({ name, children: [] });
    }
  } else {
    append(open.at(-1).children, run);
  }
}

/** The innermost open mark was none. */
function forget(open) {
  const { name, children } = open.pop();
  const into = open.at(-1).children;
  append(into, name);
  for (const one of children) append(into, one);
}

/** Texts that follow each other are one. */
function append(nodes, node) {
  if (node === '') return;
  if (typeof node === 'string' && typeof nodes.at(-1) === 'string') nodes[nodes.length - 1] += node;
  else nodes.push(node);
}
