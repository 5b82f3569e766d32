// Where a transcript is, and whose clocks its times are of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utcOffset } from '../../web/assets/format.js';
import { Parley } from '../../web/parley.js';

test('an offset is written as the gateway reads it', () => {
  const at = (minutes) => utcOffset({ getTimezoneOffset: () => minutes });
  assert.deepEqual([-120, 0, 210, -345, 600].map(at), ['+02:00', '+00:00', '-03:30', '+05:45', '-10:00']);
});

test('the address names form, clocks and, at the desk, whose thread it is', () => {
  const parley = new Parley({ baseURL: 'http://gateway.test' });
  assert.equal(parley.session('s').thread('t').transcriptURL(), 'http://gateway.test/v1/sessions/s/threads/t/transcript');
  const thread = parley.desk.thread('a/b', { owner: { channel: 'multi', customer: 'c&d' } });
  const url = new URL(thread.transcriptURL({ format: 'html', utcOffset: '+02:00' }));
  assert.equal(url.pathname, '/v1/desk/threads/a%2Fb/transcript');
  assert.deepEqual([...url.searchParams], [['channel', 'multi'], ['customer', 'c&d'], ['format', 'html'], ['utcOffset', '+02:00']]);
});
