import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { Announcer } from '../../web/widget/announcer.js';
import { accepted, allows, kindOf, refusal } from '../../web/widget/files.js';
import { choices, mistakes, refusedFields } from '../../web/widget/survey-fields.js';
import { parts } from '../../web/widget/text-parts.js';
import { around, t, useTexts } from '../../web/widget/texts.js';
import en from '../../web/texts/en.js';
import { clock, dayLabel, fileSize, shortTime } from '../../web/widget/times.js';

/** The parts as one line: links and marks in brackets. */
const shown = (text) => parts(text).map(line).join('');
const line = (part) => (typeof part === 'string' ? part : `[${part.href ?? part.tag}|${part.children.map(line).join('')}]`);

test('addresses, mail and phone numbers with their country become links', () => {
  const table = {
    'see https://a.example/x_y_z?q=*1*x (now).': 'see [https://a.example/x_y_z?q=*1*x|https://a.example/x_y_z?q=*1*x] (now).',
    'to me@shop.example, please': 'to [mailto:me@shop.example|me@shop.example], please',
    'call +49 (30) 123-4567 or +1/212/555.0100': 'call [tel:+49301234567|+49 (30) 123-4567] or [tel:+12125550100|+1/212/555.0100]',
    'order 4711-123456789, 2026-05-04, +1, 030 1234567, a@b, @me, x@y@z.example, v1.2.3': undefined,
    'https://a.example/?to=https://b.example +12 34567': '[https://a.example/?to=https://b.example|https://a.example/?to=https://b.example] +12 34567',
    'https://user:secret@a.example javascript:alert(1) http://': undefined,
  };
  for (const [text, expected] of Object.entries(table)) assert.equal(shown(text), expected ?? text);
});

test('few marks are known, all else stays as it was written', () => {
  const table = {
    '**bold** and *it* or _it_, ~~no~~ `a*b*c`': '[strong|bold] and [em|it] or [em|it], [s|no] [code|a*b*c]',
    '**all *of* https://a.example it**': '**all [em|of] [https://a.example/|https://a.example] it**',
    '**all *of* it**': '[strong|all [em|of] it]',
    'snake_case_name 2*3*4 ** * _ a * b * c': undefined,
    '<b>no</b> &amp;': undefined,
    '*two\nlines*': undefined,
  };
  for (const [text, expected] of Object.entries(table)) assert.equal(shown(text), expected ?? text);
});

test('hostile texts cost no time', () => {
  const start = performance.now();
  const texts = ['a@', '+1 ', 'a.', '*', '**a', '_a ', '`', '~~', 'http://', 'https://a(', '*a _b ~~c `d '].map((one) => one.repeat(16_384 / one.length));
  for (const text of texts) parts(text);
  assert.ok(performance.now() - start < 1500, `${performance.now() - start} ms`);
});

test('every text that the chat shows is there', () => {
  const web = new URL('../../web/', import.meta.url);
  const files = ['customer-link.js', ...readdirSync(new URL('widget/', web)).filter((name) => name.endsWith('.js')).map((name) => `widget/${name}`)];
  const code = files.map((name) => readFileSync(new URL(name, web), 'utf8')).join('\n');
  const groups = Object.keys(en.widget).join('|');
  const used = [...code.matchAll(new RegExp(`'((?:${groups})\\.(\\w+))'`, 'g'))].map(([, key]) => key);
  const marks = ['sending', 'sent', 'delivered', 'seen', 'failed'].map((name) => `marks.${name}`);
  const reasons = ['start', 'expired', 'invalid'].map((name) => `identity.${name}`);
  const missing = [...used, ...marks, ...reasons].filter((key) => en.widget[key.split('.')[0]][key.split('.')[1]] === undefined);
  assert.ok(used.length > 80, `${used.length} keys`);
  assert.deepEqual(missing, []);
});

test('texts have their places filled, and elements stand in them', () => {
  useTexts({ list: { unread: { one: '{count} message', other: '{count} messages' } }, consent: { text: 'Before: {link} says.' } }, 'en');
  assert.equal(t('list.unread', { count: 1 }), '1 message');
  assert.equal(t('list.unread', { count: 1200 }), '1,200 messages');
  assert.equal(t('no.such'), 'no.such');
  const node = {};
  assert.deepEqual(around('consent.text', 'link', node), ['Before: ', node, ' says.']);
});

test('times and sizes are written by the language', () => {
  const now = new Date(2026, 4, 6, 12);
  const iso = (day, hour = 15) => new Date(2026, 4, day, hour, 5).toISOString();
  const words = { today: 'Heute', yesterday: 'Gestern' };
  assert.deepEqual([6, 5, 4].map((day) => dayLabel(iso(day), 'de', words, now)), ['Heute', 'Gestern', 'Montag']);
  assert.match(dayLabel('2020-01-02T12:00:00Z', 'de', words, now), /2020/);
  assert.equal(clock(iso(6), 'de'), '15:05');
  assert.match(clock(iso(6), 'en'), /^3:05\sPM$/);
  assert.equal(shortTime(iso(6), 'de', now), '15:05');
  assert.match(shortTime(iso(1), 'en', now), /May 1/);
  assert.deepEqual([[999, 'en'], [1500, 'de'], [2_500_000, 'en']].map((one) => fileSize(...one)), ['999 byte', '1,5 kB', '2.5 MB']);
});

test('files are checked by the rules of the channel', () => {
  const rules = { maximumSize: 1000, allowedTypes: ['image/*', 'application/PDF'] };
  const size = (bytes) => `${bytes} B`;
  assert.equal(refusal({ name: 'a', size: 10, type: 'image/png' }, rules, size), undefined);
  assert.deepEqual(refusal({ name: 'a', size: 0, type: 'image/png' }, rules, size), ['files.empty', { name: 'a' }]);
  assert.deepEqual(refusal({ name: 'a', size: 2000, type: 'image/png' }, rules, size), ['files.tooLarge', { name: 'a', size: '1000 B' }]);
  assert.equal(refusal({ name: 'a', size: 10, type: '' }, rules, size)[0], 'files.wrongType');
  assert.ok(allows(rules.allowedTypes, 'Application/pdf; x=y'));
  assert.equal(accepted(rules), 'image/*,application/PDF');
  assert.equal(accepted({ allowedTypes: ['*/*'] }), undefined);
  assert.deepEqual(['image/png', 'image/svg+xml', 'audio/mpeg', 'video/mp4', 'text/html'].map(kindOf), ['image', 'file', 'audio', 'video', 'file']);
});

test('answers of a survey are checked, and a refusal marks its fields', () => {
  const fields = [
    { ident: 'mail', type: 'email', isRequired: true },
    { ident: 'a/b', type: 'tree', options: [{ id: 'hw', label: 'Hardware' }, { id: 'lamp', label: 'Lamp', parentId: 'hw' }, { id: 'sw', label: 'Software' }] },
  ];
  assert.deepEqual(choices(fields[1]), [['lamp', 'Hardware › Lamp'], ['sw', 'Software']]);
  assert.equal(choices({ type: 'text' }), undefined);
  assert.deepEqual([...mistakes(fields, { mail: ' ' })], [['mail', 'survey.required']]);
  assert.deepEqual([...mistakes(fields, { mail: 'a@b' })], [['mail', 'survey.emailWrong']]);
  assert.deepEqual([...mistakes(fields, { mail: 'a@b.example' })], []);
  assert.deepEqual([...refusedFields({ errors: [{ pointer: '#/customFields/a~1b' }, { pointer: '#/other' }] }, fields)], [['a/b', 'survey.required']]);
});

test('what is new is said once, at most once in a while', async () => {
  const said = [];
  const announcer = new Announcer((text) => said.push(text), (count) => `${count} new`, 10);
  for (const text of ['one', 'two', 'three']) announcer.add(text);
  assert.deepEqual(said, ['one']);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(said, ['one', '2 new']);
});

test('while nobody is there it is said when the channel opens, in the browser\'s zone', async () => {
  const { closedText } = await import('../../web/widget/opening.js');
  useTexts(en.widget, 'en');
  const now = new Date(2026, 10, 28, 12); // a Saturday
  const at = (...parts) => new Date(...parts).toISOString();
  const said = (nextOpening, more) => closedText({ isOpen: false, nextOpening, ...more }, now).replace(/\s/gu, ' ');
  assert.equal(said(at(2026, 10, 28, 14, 30)), 'We are here again at 2:30 PM');
  assert.equal(said(at(2026, 10, 29, 9)), 'We are here again tomorrow at 9:00 AM');
  assert.equal(said(at(2026, 10, 30, 9)), 'We are here again Monday at 9:00 AM');
  assert.equal(said(at(2026, 11, 24, 9)), 'We are here again Thursday, December 24 at 9:00 AM');
  assert.equal(said(at(2027, 0, 4, 9)), 'We are here again January 4, 2027 at 9:00 AM');
  for (const past of [undefined, at(2026, 10, 28, 11)]) {
    assert.equal(said(past), en.widget.head.away);
    assert.equal(said(past, { mode: 'liveChat', isOnline: false }), en.widget.head.closed);
  }
});

test('while nobody is there an e-mail address is asked for, once', async () => {
  const { surveyOf } = await import('../../web/widget/opening.js');
  useTexts(en.widget, 'en');
  const survey = { name: 'Order', fields: [{ ident: 'order', label: 'Number', type: 'text', isRequired: true }] };
  const idents = (settings) => surveyOf(settings)?.fields.map(({ ident }) => ident);
  assert.equal(surveyOf({ askEmail: true, isOpen: true }), undefined);
  assert.equal(surveyOf({ isOpen: false, preChatSurvey: survey }), survey);
  assert.deepEqual(idents({ askEmail: true, isOpen: false }), ['email']);
  assert.deepEqual(idents({ askEmail: true, isOpen: false, preChatSurvey: survey }), ['order', 'email']);
  const asked = { fields: [{ ident: 'mail', label: 'Mail', type: 'email', isRequired: true }] };
  assert.equal(surveyOf({ askEmail: true, isOpen: false, preChatSurvey: asked }), asked);
  const settings = { askEmail: true, isOpen: false };
  assert.equal(surveyOf(settings).fields, surveyOf(settings).fields, 'answers that are typed stay');
});
