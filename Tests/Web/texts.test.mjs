import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { replaceTexts, texts, variant } from '../../web/assets/texts.js';
import { fill } from '../../web/assets/translate.js';

const web = new URL('../../web/', import.meta.url);
const assets = new URL('assets/', web);
const modules = readdirSync(assets).filter((name) => name.endsWith('.js') && name !== 'texts.js');
const source = new Map(modules.map((name) => [name, readFileSync(new URL(name, assets), 'utf8')]));

/** The tables, by tag. */
const tables = new Map();
for (const name of readdirSync(new URL('texts/', web))) {
  const { default: table } = await import(new URL(`texts/${name}`, web));
  tables.set(name.replace(/\.js$/, ''), table);
}
const english = tables.get('en');

/** In Latin letters, with the plural categories of CLDR. */
const CATEGORIES = {
  en: 'one other', de: 'one other', nl: 'one other', tr: 'one other',
  fr: 'one many other', es: 'one many other', it: 'one many other', 'pt-BR': 'one many other',
  pl: 'one few many other', ar: 'zero one two few many other',
  ja: 'other', ko: 'other', 'zh-Hans': 'other',
};

const isPlural = (text) => typeof text.other === 'string';
const forms = (text) => (isPlural(text) ? Object.values(text) : [text]);
const places = (text) => [...new Set(forms(text).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].sort();

/** [path, text] of all texts in a table, or in a part of one. */
function* entries(part, path = '') {
  for (const [name, one] of Object.entries(part)) {
    const here = path ? `${path}.${name}` : name;
    if (typeof one === 'string' || isPlural(one)) yield [here, one];
    else yield* entries(one, here);
  }
}

// MARK: What the modules use

/** The strings of a module, templates with their expressions. */
function literals(code) {
  const token = /\/\*[^]*?\*\/|\/\/.*|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?<=[(,=:[!&|?{};]\s*)\/(?:[^/\\[\n]|\\.|\[[^\]\n]*\])+\//g;
  return [...code.matchAll(token)].map(([, plain, template]) => plain ?? template).filter((one) => one !== undefined);
}

const KEYS = /^(Backspace|Dead|Enter|Escape|Home|End|Files|Process|Shift|Arrow\w+)$/; // names of the browser's
const NO_TEXT = /^(Content-|Bearer |changed by|There is no (module|view|texts)|The text “\$)/; // what only programs see

/** Whether people would read it: a sentence or a name, not a hook, a class or a path. */
const isText = (one) =>
  !KEYS.test(one) && !NO_TEXT.test(one) && (/^[A-Z][a-z]+([^\w-]|$)/.test(one) || /\}\s+[a-z]{2,}|…$/.test(one.replace('}/…', '')));

/** The uses of texts in a module: path (a section, or one entry of it), and the values that it is given, if it is called at
 *  once. A section that has a name of its own in the module, as in `const t = texts.inspect`, counts by its entries. */
function uses(code) {
  const found = [];
  const names = [...code.matchAll(/const (\w+) = texts\.(\w+);/g)].map(([, name, section]) => [name, section]);
  const ways = [['texts', ''], ...names.map(([name, section]) => [name, section])];
  for (const [name, section] of ways) {
    for (const match of code.matchAll(new RegExp(`(?<![\\w.])${name}\\b((?:\\.\\w+)*)(?=(\\(\\{)?)`, 'g'))) {
      const path = [section, ...match[1].split('.')].filter(Boolean);
      const isNaming = name === 'texts' && path.length === 1 && new RegExp(`const \\w+ = $`).test(code.slice(0, match.index)) && code[match.index + match[0].length] === ';';
      const isDeclared = name !== 'texts' && path.length === 1 && /const $/.test(code.slice(0, match.index));
      if (path.length === 0 || path[0] === 'js' || isNaming || isDeclared) continue;
      found.push({ path: path.slice(0, 2), given: match[2] && valueNames(code.slice(match.index + match[0].length + 1)) });
    }
  }
  return found;
}

/** The names of an object's members: `{ name, count: list.length }` has name and count. */
function valueNames(code) {
  let depth = 0;
  let [end, at] = [0, 0];
  const parts = [];
  for (; depth > 0 || end === 0; end += 1) {
    if ('({['.includes(code[end])) depth += 1;
    if (')}]'.includes(code[end])) depth -= 1;
    if ((code[end] === ',' && depth === 1) || depth === 0) {
      parts.push(code.slice(at + 1, end).trim());
      at = end;
    }
  }
  return parts.filter(Boolean).map((part) => part.match(/^\w+/)[0]).sort();
}

test('no text stands outside of the table', () => {
  const found = [...source].flatMap(([name, code]) => literals(code).filter(isText).map((one) => `${name}: ${one}`));
  assert.deepEqual(found, []);
});

/** The entries that the modules show, and that are not in the table. */
function unknownTexts(pages) {
  return [...source].flatMap(([name, code]) =>
    uses(code)
      .filter(({ path: [section, entry] }) => !pages[section] || (entry !== undefined && !Object.hasOwn(pages[section], entry)))
      .map(({ path }) => `${name}: ${path.join('.')}`));
}

/** The entries of the table that no module shows. */
function unusedTexts(pages) {
  const codes = [...source.values(), readFileSync(new URL('texts.js', assets), 'utf8').replace(/^\/\*\*[^]*?\*\//, '')];
  const used = new Set(codes.flatMap((code) => uses(code).map(({ path }) => path.join('.'))));
  return Object.entries(pages).flatMap(([section, entries]) =>
    Object.keys(entries).filter((entry) => !used.has(section) && !used.has(`${section}.${entry}`)).map((entry) => `${section}.${entry}`));
}

test('what the modules show is in the table, and all of the table is shown', () => {
  assert.deepEqual(unknownTexts(english.pages), []);
  assert.deepEqual(unusedTexts(english.pages), []);
  for (const [name, code] of source) {
    if (uses(code).length) assert.match(code, /^import \{ (\w+, )*texts \} from '\.\/texts\.js';$/m, `${name} does not import them`);
  }
});

test('the modules give each text the values for its places', () => {
  const calls = [...source].flatMap(([name, code]) => uses(code).filter(({ given }) => given).map((use) => ({ name, ...use })));
  assert.ok(calls.length > 60);
  for (const { name, path: [section, entry], given } of calls) {
    const text = english.pages[section][entry];
    const wanted = isPlural(text) ? [...new Set([...places(text), 'count'])].sort() : places(text);
    assert.deepEqual(given, wanted, `${name}: ${section}.${entry}`);
  }
});

// MARK: The tables

/** What a table lacks, has too much, or fills in another way than the English one. */
function differences(table) {
  const found = [];
  const compare = (part, others, path) => {
    for (const [name, text] of entries(others, path)) if (!has(table, name)) found.push(`${name} is missing`);
    for (const [name, text] of entries(part, path)) {
      const own = get(english, name);
      if (own === undefined) found.push(`${name} is not in the English table`);
      else if (isPlural(own) !== isPlural(text)) found.push(`${name} is${isPlural(own) ? ' not' : ''} a plural`);
      else if (places(own).join() !== places(text).join()) found.push(`${name} has the places ${places(text)}, not ${places(own)}`);
      if (isPlural(text) && Object.keys(text).join(' ') !== CATEGORIES[table.lang]) found.push(`${name} has the forms ${Object.keys(text)}`);
    }
  };
  compare(table.widget, english.widget, 'widget');
  compare(table.problems, english.problems, 'problems');
  const sections = COMPLETE.includes(table.lang) ? Object.keys(english.pages) : chatSections();
  for (const section of sections) if (!table.pages[section]) found.push(`pages.${section} is missing`);
  for (const [section, part] of Object.entries(table.pages)) compare(part, english.pages[section] ?? {}, `pages.${section}`);
  return found;
}

// A key may have a dot: "image/*" has none, but paths are taken apart from the left.
const get = (table, path) => path.split('.').reduce((part, name) => part?.[name], table);
const has = (table, path) => get(table, path) !== undefined;

/** The languages of all pages. In the others only the customers' page speaks; the rest is English. */
const COMPLETE = ['en', 'de'];

/** The sections that the chat page shows: those of its module, of all that it imports, and of what it loads later. */
function chatSections() {
  const reached = new Set();
  const visit = (name) => {
    if (reached.has(name) || !source.has(name)) return;
    reached.add(name);
    for (const [, next] of source.get(name).matchAll(/(?:from|import)\s*\(?\s*'\.\/([\w-]+\.js)'/g)) visit(next);
  };
  visit('chat-page.js');
  return [...new Set([...reached].flatMap((name) => uses(source.get(name)).map(({ path }) => path[0])))].sort();
}

test('there is a table for each language', () => {
  assert.deepEqual([...tables.keys()].sort(), Object.keys(CATEGORIES).sort());
  assert.ok(chatSections().length > 20 && !chatSections().includes('desk'));
});

for (const [tag, table] of tables) {
  test(`${tag}: the file is data that a program without JavaScript can read`, () => {
    const text = readFileSync(new URL(`texts/${tag}.js`, web), 'utf8');
    assert.equal(text, `export default ${JSON.stringify(table, null, 2)};\n`);
    assert.deepEqual(Object.keys(table), ['lang', 'dir', 'name', 'widget', 'pages', 'problems']);
  });

  test(`${tag}: it is the language that it says`, () => {
    assert.equal(table.lang, tag);
    assert.deepEqual(Intl.getCanonicalLocales(tag), [tag]);
    assert.equal(new Intl.DateTimeFormat(tag).resolvedOptions().locale, tag);
    assert.equal(table.dir, new Intl.Locale(tag).maximize().script === 'Arab' ? 'rtl' : 'ltr');
    const own = new Intl.DisplayNames([tag], { type: 'language' }).of(tag);
    assert.equal(table.name.toLocaleLowerCase(tag), own.toLocaleLowerCase(tag));
  });

  test(`${tag}: the same keys and places as in English, and the plurals of the language`, () => {
    assert.deepEqual(differences(table), []);
    assert.deepEqual([...new Intl.PluralRules(tag).resolvedOptions().pluralCategories].sort(), CATEGORIES[tag].split(' ').sort());
  });

  test(`${tag}: texts are clean`, () => {
    for (const [path, text] of entries({ widget: table.widget, pages: table.pages, problems: table.problems })) {
      for (const form of forms(text)) {
        assert.ok(form.length > 0 && form === form.trim().normalize('NFC'), path);
        assert.doesNotMatch(form, /\.\.|  |"|[<>]|\{(?!\w+\})|(?<!\{\w+)\}/, path);
      }
    }
  });

  test(`${tag}: what stands in a button is short`, () => {
    for (const path of BUTTONS) {
      for (const form of forms(get(table, path) ?? 'x')) assert.ok(width(form) <= WIDEST, `${path}: ${width(form)} columns, ${form}`);
    }
  });

  if (tag !== 'en') {
    test(`${tag}: no English text`, () => {
      const same = [...entries({ widget: table.widget, pages: table.pages, problems: table.problems })]
        .filter(([path, text]) => forms(text).some((form) => /\p{L}/u.test(form.replace(/\{\w+\}/g, '')) && forms(get(english, path)).includes(form)))
        .filter(([, text]) => !forms(text).every((form) => isSameWord(form, tag)))
        .map(([path, text]) => `${path}: ${JSON.stringify(text)}`);
      assert.deepEqual(same, []);
    });
  }
}

/** Words that are the same in another language, and names that no language changes. */
const SAME = {
  'NICE CXone': 'all', 'parley open': 'all', Parley: 'all', 'Parley Desk': 'all', Sendbird: 'all', URL: 'all', Webhooks: 'all',
  Chat: 'de es fr it nl pt-BR', Conversation: 'fr', Conversations: 'fr', Details: 'nl', Invitation: 'fr', Message: 'fr', Messages: 'fr', Note: 'fr',
  Password: 'it', Privacy: 'it nl',
  Administrator: 'de', Agent: 'de', Browser: 'de', Cursor: 'de', Desk: 'de', Frames: 'de', Id: 'de', Live: 'de', Log: 'de', Median: 'de', Name: 'de', Operation: 'de',
  Problem: 'de', Route: 'de', Sandbox: 'de', Socket: 'de', Sockets: 'de', Status: 'de', Streams: 'de', Text: 'de', Thread: 'de', Token: 'de',
  live: 'de',
};
const isSameWord = (form, tag) => SAME[form] === 'all' || SAME[form]?.split(' ').includes(tag);

test('no word is on the list of equal words without need', () => {
  const all = [...tables].filter(([tag]) => tag !== 'en').map(([tag, table]) => [tag, new Set([...entries(table.widget), ...entries(table.pages)].flatMap(([, text]) => forms(text)))]);
  for (const [word, tags] of Object.entries(SAME)) {
    for (const tag of tags === 'all' ? ['de'] : tags.split(' ')) assert.ok(all.find(([one]) => one === tag)[1].has(word), `${word} in ${tag}`);
  }
});

/** Texts of buttons that stand beside others, or alone in a narrow line. */
const BUTTONS = [
  'launcher.label', 'head.back', 'head.close', 'head.menu', 'head.sound', 'consent.agree', 'consent.decline', 'survey.start', 'marks.retry', 'marks.discard',
  'composer.send', 'queue.end', 'queue.again', 'inactivity.yes', 'inactivity.no', 'rating.send', 'rating.skip', 'problems.reload', 'linkPage.open',
].map((path) => `widget.${path}`).concat([
  'common.add', 'common.cancel', 'common.close', 'common.continue', 'common.done', 'common.remove', 'common.save', 'common.send', 'common.showMore',
  'chat.listOpen', 'chat.listArchived', 'chat.listHidden', 'chat.endSubmit', 'chat.clearSubmit', 'chat.leaveSubmit', 'chat.tryAgain', 'chat.signOut',
  'invitation.join', 'invitation.decline', 'live.restart', 'message.delete', 'message.resend', 'page.on', 'page.off', 'search.end', 'signIn.enter', 'survey.start',
].map((path) => `pages.${path}`));
const WIDEST = 28;
/** In columns: letters of East Asia take two. */
const width = (text) => [...text].reduce((sum, one) => sum + (/[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/.test(one) ? 2 : 1), 0);

test('a missing key, a key too many, a place and a form that differ are found', () => {
  const broken = (change) => {
    const table = structuredClone(tables.get('pl'));
    change(table);
    return differences(table);
  };
  assert.deepEqual(broken(() => {}), []);
  assert.deepEqual(broken(({ widget }) => delete widget.head.back), ['widget.head.back is missing']);
  assert.deepEqual(broken(({ pages }) => delete pages.messages), ['pages.messages is missing']);
  assert.deepEqual(broken(({ pages }) => delete pages.messages.news), ['pages.messages.news is missing']);
  assert.deepEqual(broken(({ problems }) => (problems.odd = 'x')), ['problems.odd is not in the English table']);
  assert.deepEqual(broken(({ widget }) => (widget.files.empty = '{nme}')), ['widget.files.empty has the places nme, not name']);
  assert.deepEqual(broken(({ widget }) => delete widget.list.unread.few), ['widget.list.unread has the forms one,many,other']);
  assert.deepEqual(broken(({ widget }) => (widget.list.unread = '{count}')), ['widget.list.unread is not a plural']);
  assert.deepEqual(unusedTexts({ ...english.pages, common: { ...english.pages.common, odd: 'x' } }), ['common.odd']);
  const { send, ...others } = english.pages.common;
  assert.ok(unknownTexts({ ...english.pages, common: others }).includes('composer-view.js: common.send'));
});

test('counts take the form of their language', () => {
  const counts = [0, 1, 2, 3, 5, 11, 21, 1_000_000];
  const unread = (tag) => counts.map((count) => fill(tables.get(tag).widget.list.unread, { count }, tag));
  assert.deepEqual(unread('en'), [
    '0 unread messages', '1 unread message', '2 unread messages', '3 unread messages', '5 unread messages', '11 unread messages',
    '21 unread messages', '1,000,000 unread messages',
  ]);
  assert.deepEqual(unread('pl'), [
    '0 nieprzeczytanych wiadomości', '1 nieprzeczytana wiadomość', '2 nieprzeczytane wiadomości', '3 nieprzeczytane wiadomości',
    '5 nieprzeczytanych wiadomości', '11 nieprzeczytanych wiadomości', '21 nieprzeczytanych wiadomości', '1\u00a0000\u00a0000 nieprzeczytanych wiadomości',
  ]);
  assert.deepEqual(unread('ja'), counts.map((count) => `未読${count.toLocaleString('ja')}件`));
  const arabic = tables.get('ar').widget.list.unread;
  const number = (count) => count.toLocaleString('ar');
  assert.deepEqual(unread('ar'), [
    arabic.zero, arabic.one, arabic.two, ...[[3, 'few'], [5, 'few'], [11, 'many'], [21, 'many'], [1_000_000, 'other']].map(
      ([count, form]) => arabic[form].replace('{count}', number(count))),
  ]);
  assert.equal(fill(tables.get('fr').widget.list.unread, { count: 1_000_000 }, 'fr'), '1\u202f000\u202f000 de messages non lus');
  assert.equal(fill(tables.get('fr').widget.list.unread, { count: 0 }, 'fr'), '0 message non lu');
});

// MARK: The engine

/** What a module of the pages answers when the page has this table in it, or none. */
function inPage(table, expression, imports = 'texts') {
  const document = `globalThis.document = { documentElement: {}, getElementById: (id) => (${Boolean(table)} && id === 'texts' ? { textContent: ${JSON.stringify(JSON.stringify(table ?? null))} } : null) };`;
  const code = `${document} const page = await import(${JSON.stringify(new URL(`${imports}.js`, assets).href)}); console.log(JSON.stringify(${expression}));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } }));
}
const pageTable = (tag) => ({ ...tables.get(tag), widget: undefined });

test('a text with places is a function, one without is a string', () => {
  assert.equal(texts.common.send, 'Send');
  assert.equal(texts.people.andMore({ name: 'Mia', count: 1200 }), 'Mia and 1,200 more');
  assert.equal(texts.signIn.weak.short, english.pages.signIn.weak.short);
  assert.equal(texts.webhooks.states.active, 'Active');
  assert.throws(() => texts.people.andMore({ name: 'Mia' }), /no value for \{count\}/);
});

test('the table in the page is its language; a section that it lacks stays English', () => {
  const table = pageTable('de');
  delete table.pages.desk;
  const shown = '[page.language, document.documentElement, page.texts.common.send, page.texts.desk.nobody, page.texts.messages.news({ count: 1200 })]';
  const { send } = tables.get('de').pages.common;
  const news = tables.get('de').pages.messages.news.other.replace('{count}', '1.200');
  assert.deepEqual(inPage(table, shown), ['de', { lang: 'de', dir: 'ltr' }, send, 'Nobody', news]);
  assert.deepEqual(inPage(undefined, '[page.language, document.documentElement]'), ['en', {}]);
});

test('in a language from right to left, values keep their own direction', () => {
  const said = inPage(pageTable('ar'), "[page.texts.files.empty({ name: 'a.txt' }), document.documentElement.dir]");
  assert.equal(said[1], 'rtl');
  assert.ok(said[0].includes('\u2068a.txt\u2069'));
});

test('the browser may prefer a variant of the language', () => {
  assert.equal(variant('en', ['de', 'en-GB', 'en-US']), 'en-GB');
  assert.equal(variant('de', ['en-GB']), 'de');
  assert.equal(variant('zh-Hans', ['zh-TW', 'zh-CN']), 'zh-CN', 'another script is another language');
  assert.equal(variant('pt-BR', ['pt-PT']), 'pt-BR');
});

test('times, sizes, durations and names are written in the page’s language', () => {
  const shown = `[page.timeOfDay('2026-05-04T16:05:00Z'), page.fileSize(1_540_000), page.fileSize(12), page.roughly(5), page.roughly(200),
    page.roughly(3000), page.listed(['Ada', 'Grace', 'Mia']), page.counted(1200), page.replyCount(120)]`;
  const plain = (list) => list.map((one) => one.replace(/[\u00a0\u202f]/g, ' '));
  assert.deepEqual(plain(inPage(undefined, shown, 'format')), ['4:05 PM', '1.5 MB', '12 bytes', '5 min', '3 hr', '2 days', 'Ada, Grace, and Mia', '1,200', '99+ replies']);
  const german = plain(inPage(pageTable('de'), shown, 'format'));
  assert.deepEqual(german.slice(0, 8), ['16:05', '1,5 MB', '12 Byte', '5 Min.', '3 Std.', '2 Tg.', 'Ada, Grace und Mia', '1.200']);
});

test('a problem is told by its code to customers, by its detail to others', () => {
  const said = "[{ code: 'textTooLong', detail: 'x' }, { code: 'odd', detail: 'x' }, undefined].map((one) => page.problemText(one, 'general'))";
  assert.deepEqual(inPage(undefined, said), ['x', 'x', 'general']);
  assert.deepEqual(inPage(undefined, `(page.speakToCustomers(), ${said})`), [english.problems.textTooLong, 'general', 'general']);
  assert.deepEqual(inPage(pageTable('de'), `(page.speakToCustomers(), ${said})`), [tables.get('de').problems.textTooLong, 'general', 'general']);
});

test('a host page puts its own texts in their place', (t) => {
  for (const section of [texts.composer, texts.messages, texts.list, texts.signIn.weak]) {
    const before = { ...section };
    t.after(() => Object.assign(section, before));
  }
  const before = texts.composer.edit;
  replaceTexts({
    composer: { placeholder: 'Nachricht schreiben' },
    messages: { news: { one: 'Eine neue', other: '{count} neue' } },
    list: { said: '{what} ({who})', unread: 'Ungelesen' },
    signIn: { weak: { short: 'Zu kurz.' } },
  });
  assert.equal(texts.composer.placeholder, 'Nachricht schreiben');
  assert.equal(texts.composer.edit, before, 'the others stay');
  assert.equal(texts.messages.news({ count: 1 }), 'Eine neue');
  assert.equal(texts.messages.news({ count: 2 }), '2 neue');
  assert.equal(texts.list.said({ who: 'Mia', what: 'Hallo' }), 'Hallo (Mia)');
  assert.equal(texts.list.unread({ count: 2 }), 'Ungelesen');
  assert.equal(texts.signIn.weak.short, 'Zu kurz.');
  assert.throws(() => replaceTexts({ composer: { placeholdr: 'x' } }), /texts\.composer\.placeholdr/);
  assert.throws(() => replaceTexts({ list: { said: '{what} {whom}' } }), /texts\.list\.said has no place \{whom\}/);
});

test('functions of a host page are still taken, with a warning', (t) => {
  const before = { ...texts.files };
  t.after(() => Object.assign(texts.files, before));
  const warn = t.mock.method(console, 'warn', () => {});
  const tooLarge = (name, size, most) => `${name}: ${size} > ${most}`;
  replaceTexts({ files: { tooLarge, empty: () => null.x, units: ['B'] } });
  assert.equal(warn.mock.callCount(), 3, 'the last one for a text that is not shown any more');
  assert.equal(texts.files.tooLarge({ name: 'a', size: '2 MB', most: '1 MB' }), 'a: 2 MB > 1 MB');
  assert.equal(texts.files.empty({ name: 'a' }), '“a” is empty.', 'one that fails does not stop the page');
});
