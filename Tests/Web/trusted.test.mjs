import assert from 'node:assert/strict';
import test from 'node:test';
import { scriptAddress, workerAddress } from '../../web/assets/trusted.js';

globalThis.location = new URL('http://127.0.0.1:8787/desk');

test('only the workers of the own origin have an address', () => {
  assert.equal(workerAddress('/push-worker.js'), 'http://127.0.0.1:8787/push-worker.js');
  assert.equal(
    workerAddress(new URL('http://127.0.0.1:8787/web/0123/assets/stream-worker.js')),
    'http://127.0.0.1:8787/web/0123/assets/stream-worker.js',
  );
  for (const wrong of ['/assets/chat-page.js', '/v1/sessions/stream-worker.js', '/stream-worker.js', '/web/a/push-worker.js', 'https://evil.example/push-worker.js', 'data:text/javascript,push-worker.js', ''])
    assert.throws(() => workerAddress(wrong), TypeError, wrong);
});

test('a browser with Trusted Types gets what its policy made, and the policy is made once', (t) => {
  t.after(() => delete globalThis.trustedTypes);
  assert.equal(scriptAddress('/push-worker.js'), 'http://127.0.0.1:8787/push-worker.js');
  const names = [];
  globalThis.trustedTypes = {
    createPolicy: (name, rules) => (names.push(name), { createScriptURL: (text) => ({ trusted: rules.createScriptURL(text) }) }),
  };
  assert.deepEqual(scriptAddress('/push-worker.js'), { trusted: 'http://127.0.0.1:8787/push-worker.js' });
  assert.throws(() => scriptAddress('https://evil.example/push-worker.js'), TypeError);
  assert.deepEqual(names, ['parley']);
});
