import assert from 'node:assert/strict';
import test from 'node:test';
import { accepted, allows, refusal } from '../../web/assets/file-rules.js';

const pictures = { isAttachmentsEnabled: true, maximumSize: 1_500_000, allowedTypes: ['image/*', 'application/pdf'] };
const file = (name, type, size = 10) => ({ name, type, size });

test('a file of an allowed kind and size can go', () => {
  assert.equal(refusal(file('a.png', 'image/png'), pictures), undefined);
  assert.equal(refusal(file('a.pdf', 'application/pdf', 1_500_000), pictures), undefined);
  assert.equal(refusal(file('a.bin', ''), { ...pictures, allowedTypes: ['*/*'] }), undefined);
  assert.equal(refusal(file('a.bin', ''), undefined), undefined, 'no rule is known');
});

test('what is refused says why, in words', () => {
  assert.equal(refusal(file('a.txt', 'text/plain'), pictures), '“a.txt” cannot be sent here. Possible are: pictures and PDF files.');
  assert.equal(refusal(file('a', ''), pictures), '“a” cannot be sent here. Possible are: pictures and PDF files.');
  assert.equal(refusal(file('a.png', 'image/png', 1_500_001), pictures), '“a.png” is too large: 1.5 MB. At most 1.5 MB can be sent.');
  assert.equal(refusal(file('a.png', 'image/png', 0), pictures), '“a.png” is empty.');
});

test('types are compared as the gateway does it', () => {
  for (const [allowed, type, isAllowed] of [
    ['image/*', 'IMAGE/PNG', true],
    ['Image/*', 'image/png', true],
    ['text/plain', 'text/plain; charset=utf-8', true],
    ['text/plain', 'text/html', false],
    ['image/*', 'imagex/png', false],
    ['*/*', 'x/y', true],
    ['image', 'image/png', false],
  ]) assert.equal(allows([allowed], type), isAllowed, `${allowed} ${type}`);
});

test('the browser offers only what can go', () => {
  assert.equal(accepted(pictures), 'image/*,application/pdf');
  assert.equal(accepted({ ...pictures, allowedTypes: ['*/*'] }), undefined);
  assert.equal(accepted(undefined), undefined);
});
