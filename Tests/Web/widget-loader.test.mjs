import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

// The loader makes its elements when it is loaded. Here nothing is done with them.
const anything = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => '' : anything), apply: () => anything, construct: () => anything });
for (const name of ['document', 'window', 'visualViewport', 'customElements', 'matchMedia', 'CSSStyleSheet']) globalThis[name] = anything;
globalThis.HTMLElement = class {};
const { chooseLanguage, counted, limit, readMessage } = await import('../../web/widget.js');

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'it', 'nl', 'pl', 'tr', 'ja', 'ko', 'zh-Hans', 'ar'];

test('a wish finds the language of another region, and never one of another script', () => {
  const found = {
    de: 'de', 'de-AT': 'de', 'DE-ch': 'de', pt: 'pt-BR', 'pt-PT': 'pt-BR', 'pt-br': 'pt-BR',
    zh: 'zh-Hans', 'zh-CN': 'zh-Hans', 'zh-SG': 'zh-Hans', 'zh-Hans-HK': 'zh-Hans', 'ar-EG': 'ar', 'en-XA': 'en', 'es-419': 'es',
    'zh-TW': undefined, 'zh-HK': undefined, 'zh-Hant': undefined, 'zh-Hant-CN': undefined, 'de-Hebr': undefined,
    sv: undefined, e: undefined, '': undefined, 'not a tag': undefined, '*': undefined,
  };
  for (const [wish, language] of Object.entries(found)) {
    assert.equal(chooseLanguage([wish], ['it', ...LANGUAGES]), language ?? 'it', wish);
  }
});

test('the first wish that can be fulfilled counts, then the first language', () => {
  assert.equal(chooseLanguage(['', 'sv', 'zh-TW', 'pl-PL', 'de'], LANGUAGES), 'pl');
  assert.equal(chooseLanguage([], ['tr', 'en']), 'tr');
});

test('the nearest of several languages is taken', () => {
  assert.equal(chooseLanguage(['pt-PT'], ['pt-BR', 'pt-PT']), 'pt-PT');
  assert.equal(chooseLanguage(['de-AT'], ['de-CH', 'de']), 'de');
  assert.equal(chooseLanguage(['de-CH-1996'], ['de', 'de-CH']), 'de-CH');
});

test('each language resolves to itself', () => {
  for (const one of LANGUAGES) assert.equal(chooseLanguage([one], LANGUAGES), one);
});

test('a count is written as the language does', () => {
  const unread = { one: '{count} wiadomość', few: '{count} wiadomości', many: '{count} wiadomości!', other: '{count} wiadomości?' };
  assert.deepEqual([1, 3, 5].map((count) => counted(unread, count, 'pl')), ['1 wiadomość', '3 wiadomości', '5 wiadomości!']);
  assert.equal(counted({ other: '{count} neu' }, 1200, 'de'), '1.200 neu');
  assert.equal(counted('{count}', 7, 'ja'), '7');
});

test('a message has its known members only', () => {
  const given = { type: 'message', from: 'agent', id: 'm-1', text: 'secret', url: 'https://evil.example' };
  assert.deepEqual(readMessage(given), { type: 'message', from: 'agent', id: 'm-1' });
  assert.deepEqual(readMessage({ type: 'closing', href: 'x' }), { type: 'closing' });
  assert.deepEqual(readMessage({ type: 'done', id: 1, ok: true }), { type: 'done', id: 1, ok: true, code: undefined });
});

test('a message with a wrong member is none', () => {
  const wrong = [
    undefined, null, 0, '', 'ready', [], {}, () => 1, { type: 'open' }, { type: 'toString' }, { type: '__proto__' }, { type: ['ready'] },
    { type: 'ready', version: 1, unread: 0 }, { type: 'ready', version: '1', unread: 0, lang: 'en' }, { type: 'ready', version: 1, unread: 1e300, lang: 'en' },
    { type: 'unread', count: -1 }, { type: 'unread', count: NaN }, { type: 'unread', count: '3' }, { type: 'unread', count: 1.5 },
    { type: 'message', from: 'agent', id: {} }, { type: 'message', from: 'agent', id: '<b>' }, { type: 'message', from: 'a', id: 'b'.repeat(129) },
    { type: 'needIdentity', reason: 'now' }, { type: 'needIdentity', reason: ['start'] }, { type: ['unread'], count: 3 }, { type: 'done', id: 1, ok: 1 }, { type: 'done', id: 1, ok: true, code: 7 },
    { type: 'error', code: 'two words' }, { type: 'rated', score: '5' }, { type: 'unread', count: 3, more: 'x'.repeat(16_384) },
  ];
  for (const one of wrong) assert.equal(readMessage(one), undefined, JSON.stringify(one));
  const round = { type: 'closing' };
  round.round = round;
  assert.equal(readMessage(round), undefined);
});

test('whatever comes, a message is read or dropped', () => {
  const parts = [undefined, null, '', 'ready', 'unread', 1, -1, NaN, Infinity, true, [], {}, Object.create(null), 10n, Symbol.iterator, () => 1];
  const names = ['type', 'version', 'unread', 'lang', 'count', 'code', 'id', 'ok'];
  for (let at = 0; at < 20_000; at += 1) {
    const data = Object.fromEntries(names.map((name, place) => [name, parts[(at * 7 + place * (at % 13)) % parts.length]]));
    const read = readMessage(data);
    if (read) assert.equal(read.type, data.type);
  }
});

test('at most so many pass in a second', () => {
  let now = 0;
  const mayPass = limit(50, () => now);
  const passed = () => Array.from({ length: 80 }, mayPass).filter(Boolean).length;
  assert.deepEqual([passed(), passed()], [50, 0]);
  now = 1000;
  assert.equal(passed(), 50);
});

test('the loader is small', () => {
  const bytes = readFileSync(new URL('../../web/widget.js', import.meta.url));
  assert.ok(gzipSync(bytes).length < 9000, `${gzipSync(bytes).length} bytes travel`);
  assert.doesNotMatch(String(bytes), /innerHTML|\bfetch\(|\.style\s*=|^import /m);
});
