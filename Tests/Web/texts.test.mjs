import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { replaceTexts, texts } from '../../web/assets/texts.js';

const assets = new URL('../../web/assets/', import.meta.url);
const modules = readdirSync(assets).filter((name) => name.endsWith('.js') && name !== 'texts.js');
const source = new Map(modules.map((name) => [name, readFileSync(new URL(name, assets), 'utf8')]));

/** The strings of a module, templates with their expressions. */
function literals(code) {
  const token = /\/\*[^]*?\*\/|\/\/.*|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?<=[(,=:[!&|?{};]\s*)\/(?:[^/\\[\n]|\\.|\[[^\]\n]*\])+\//g;
  return [...code.matchAll(token)].map(([, plain, template]) => plain ?? template).filter((one) => one !== undefined);
}

const KEYS = /^(Enter|Escape|Home|End|Files|Arrow\w+)$/; // names of the browser's
const NO_TEXT = /^(Content-|Bearer |changed by|There is no (module|view|texts))/; // what only programs see

/** Whether people would read it: a sentence or a name, not a hook, a class or a path. */
const isText = (one) =>
  !KEYS.test(one) && !NO_TEXT.test(one) && (/^[A-Z][a-z]+([^\w-]|$)/.test(one) || /\}\s+[a-z]{2,}|…$/.test(one.replace('}/…', '')));

test('no text stands outside of the table', () => {
  const found = [...source].flatMap(([name, code]) => literals(code).filter(isText).map((one) => `${name}: ${one}`));
  assert.deepEqual(found, []);
});

test('what the modules show is in the table, and all of the table is shown', () => {
  const names = new Set();
  const wanted = /\btexts((?:\.\w+)+)/g;
  for (const [name, code] of source) {
    for (const [, path] of code.matchAll(wanted)) {
      const [section, entry] = path.slice(1).split('.');
      if (section === 'js') continue;
      assert.match(code, /^import \{ texts \} from '\.\/texts\.js';$/m, `${name} does not import them`);
      assert.ok(texts[section], `${name}: texts.${section}`);
      if (entry !== undefined) assert.ok(Object.hasOwn(texts[section], entry), `${name}: texts.${section}.${entry}`);
      names.add(entry === undefined ? section : `${section}.${entry}`);
    }
  }
  const all = Object.entries(texts).flatMap(([section, entries]) => Object.keys(entries).map((entry) => [section, entry]));
  assert.deepEqual(all.filter(([section, entry]) => !names.has(section) && !names.has(`${section}.${entry}`)), []);
});

test('a host page puts its own texts in their place', (t) => {
  const before = { ...texts.composer };
  t.after(() => Object.assign(texts.composer, before));
  replaceTexts({ composer: { placeholder: 'Nachricht schreiben' } });
  assert.equal(texts.composer.placeholder, 'Nachricht schreiben');
  assert.equal(texts.composer.edit, before.edit, 'the others stay');
  assert.throws(() => replaceTexts({ composer: { placeholdr: 'x' } }), /texts\.composer\.placeholdr/);
});
