import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { markup, plain } from '../../web/assets/markup.js';

/** The tree in a short form: a tag with its children in brackets, a link with its address. */
const shape = (nodes) => nodes.map((one) => (typeof one === 'string' ? one : `${one.tag}${one.href ? `<${one.href}>` : ''}(${shape(one.children)})`)).join('');
const shows = (text, wanted) => assert.equal(shape(markup(text)), wanted, JSON.stringify(text));
const isText = (text) => assert.deepEqual(markup(text), text ? [text] : [], JSON.stringify(text));

test('marks of a line', () => {
  shows('a **b** c', 'a strong(b) c');
  shows('*a* and _b_ and ~~c~~', 'em(a) and em(b) and s(c)');
  shows('***a***', 'strong(em(a))');
  shows('**a *b* c**', 'strong(a em(b) c)');
  shows('*a **b***', 'em(a strong(b))');
  shows('(*a*), "_b_"!', '(em(a)), "em(b)"!');
  shows('`a *b* <c>` d', 'code(a *b* <c>) d');
});

test('what only looks like a mark stays as it was written', () => {
  for (const text of ['', ' ', '2 * 3 * 4', '{{7*7}} ${7*7}', '5*3*2', 'snake_case_name', '__init__', '/usr/_x_/lib', 'a ** b', '**a', 'a*', '*', '**', '****', '~a~', '`', '``', '```', '> ', '>:(', ':*', '* one\n* two', '1 < 2', '\\*a\\*x', '**a\nb**'])
    if (text !== '> ') isText(text);
  shows('*a *b* c', '*a em(b) c');
  shows('**a _b** c_', 'strong(a _b) c_');
});

test('lines, quotes and blocks of code', () => {
  shows('a\nb\n\nc', 'a\nb\n\nc');
  shows('> a\n> *b*\nc', 'blockquote(a\nem(b))c');
  shows('see\n```js\n**a**\nhttps://x.example\n```\nend', 'seepre(**a**\nhttps://x.example)end');
  isText('```\nnever closed');
});

test('addresses become links, without the marks around them', () => {
  const link = (address, written = address) => `a<${address}>(${written})`;
  shows('see https://a.example/b?c=1#d.', `see ${link('https://a.example/b?c=1#d')}.`);
  shows('(http://a.example/x)', `(${link('http://a.example/x')})`);
  shows('https://a.example/x_(y), ok', `${link('https://a.example/x_(y)')}, ok`);
  shows('**https://a.example/x**', `strong(${link('https://a.example/x')})`);
  shows('https://a.example/*x*_y_', link('https://a.example/*x*_y', 'https://a.example/*x*_y') + '_');
  shows('HTTPS://A.example', link('https://a.example/', 'HTTPS://A.example'));
  shows('https://müller.example/ß', link('https://xn--mller-kva.example/%C3%9F', 'https://müller.example/ß'));
  shows('[the *order*](https://a.example/4711)', 'a<https://a.example/4711>(the *order*)');
});

const HOSTILE = [
  'javascript:alert(1)',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox)',
  '[x](//evil.example)',
  '[x](/v1/sessions)',
  '[x]( javascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](java\nscript:alert(1))',
  'file:///etc/passwd',
  'https://',
  'https://:80',
  'http://[',
  'https://bank.example@evil.example/',
  'https://user:secret@evil.example/',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '&lt;b&gt;',
];

test('nothing but addresses of the web becomes a link, and no tag or entity is read', () => HOSTILE.forEach(isText));

test('a label cannot name another place than it leads to', () => {
  for (const label of ['https://bank.example', 'bank.example', 'www.bank', 'bank.example/login', '\u202ebank'])
    shows(`[${label}](https://evil.example/)`, shape(markup(`[${label}](`)) + 'a<https://evil.example/>(https://evil.example/))'.slice(0, -1) + ')');
  shows('https://bank.example\u202e/x', 'a<https://bank.example/>(https://bank.example)\u202e/x');
  shows('https://bank.example\u200b.evil.example', 'a<https://bank.example/>(https://bank.example)\u200b.evil.example');
});

test('an address cannot leave its attribute', () => {
  for (const text of ['https://a.example/"onmouseover=alert(1)', "https://a.example/'x", 'https://a.example/<b>', '[x](https://a.example/"y)']) {
    for (const one of markup(text)) if (one.href) assert.doesNotMatch(one.href, /["<>\s]/, text);
  }
});

test('in one line the marks are left out', () => {
  assert.equal(plain('**Order** is _on its way_:\n> where?\nsee [the map](https://a.example) 2 * 3\n```\ncode\n```'), 'Order is on its way: where? see the map 2 * 3 code');
});

/** The gateway takes the marks out of pushes by the same rules, in Swift. Its tests read the same file. */
test('texts without marks, as pushes have them', () => {
  const cases = JSON.parse(readFileSync(new URL('./markup-cases.json', import.meta.url), 'utf8'));
  assert.ok(cases.length > 100);
  for (const [text, wanted] of cases) assert.equal(plain(text), wanted, JSON.stringify(text));
});

/** Every tag and attribute that a tree has. */
function parts(nodes, found = { tags: new Set(), depth: 0 }, depth = 1) {
  for (const one of nodes) {
    if (typeof one === 'string') continue;
    found.tags.add(one.tag);
    found.depth = Math.max(found.depth, depth);
    assert.deepEqual(Object.keys(one).filter((key) => !['tag', 'href', 'children'].includes(key)), []);
    assert.ok(one.href === undefined || /^https?:\/\/[^/]/.test(one.href));
    parts(one.children, found, depth + 1);
  }
  return found;
}

test('random texts give only what is allowed, and lose nothing but marks', () => {
  let seed = 4711;
  const random = (most) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % most;
  const pieces = ['*', '**', '_', '~~', '`', '```', '\n', '> ', ' ', 'a', 'b.', '(', ')', '[', ']', '](', 'https://a.example', 'javascript:', '<b>', '"', '\u202e', '🦊'];
  const text = (nodes) => nodes.map((one) => (typeof one === 'string' ? one : text(one.children))).join('');
  for (let round = 0; round < 5000; round++) {
    const written = Array.from({ length: random(24) }, () => pieces[random(pieces.length)]).join('');
    const tree = markup(written);
    const { tags, depth } = parts(tree);
    for (const tag of tags) assert.ok(['strong', 'em', 's', 'code', 'pre', 'blockquote', 'a'].includes(tag));
    assert.ok(depth <= 6, `${depth} levels: ${JSON.stringify(written)}`);
    const kept = (one) => one.replace(/[*_~`\s>[\]()]|https:\/\/a\.example/g, '');
    assert.equal(kept(text(tree)), kept(written), JSON.stringify(written));
  }
});

test('hostile lengths take no long time', () => {
  const most = 65_536;
  const long = (piece) => piece.repeat(most / piece.length);
  for (const piece of ['*', '*a ', ' *a', '**a _b ', '_', '`', '`a ', '[', '[a](', '[a](https://', 'https://', 'https://a', '(', 'https://a.example/(', '~~', '> ', '> *a\n', '```\n', '\n', '* a\n']) {
    const start = performance.now();
    parts(markup(long(piece)));
    markup(`https://a.example/${long(')')}`);
    assert.ok(performance.now() - start < 500, `${JSON.stringify(piece)}: ${performance.now() - start} ms`);
  }
});
