import assert from 'node:assert/strict';
import test from 'node:test';
import { GatheringParley } from '../../web/assets/gathering.js';
import { LastShown } from '../../web/assets/last-shown.js';
import { Parley, ParleyError, versionOf } from '../../web/parley.js';
import { gateway, json, problem } from './gateway.mjs';

const part = ({ path }) =>
  path.includes('none') ? { status: 404, body: { code: 'notFound', status: 404 } } : { status: 200, version: `"${path}"`, body: { path } };

/** Answers a batch with the path of each part. */
const echo = ({ url, body }, response) => json(200, body ? { items: body.requests.map(part) } : { path: url })(undefined, response);

test('a batch tells what came of each', async (t) => {
  const { baseURL, requests } = await gateway(t, echo);
  const [one, two] = await new Parley({ baseURL, token: 't' }).batch([
    { method: 'POST', path: '/v1/a', query: { x: 1, y: undefined }, body: { z: 2 }, key: 'k', ifMatch: '"v"' }, { method: 'GET', path: '/v1/none' }]);
  assert.deepEqual(requests.map(({ method, url }) => `${method} ${url}`), ['POST /v1/batch']);
  assert.deepEqual(requests[0].body.requests, [{ method: 'POST', path: '/v1/a?x=1', body: { z: 2 }, idempotencyKey: 'k', ifMatch: '"v"' }, { method: 'GET', path: '/v1/none' }]);
  assert.equal(one.status, 'fulfilled');
  assert.equal(versionOf(one.value), '"/v1/a?x=1"');
  assert.ok(two.reason instanceof ParleyError);
  assert.equal(two.reason.code, 'notFound');
});

test('while a page is loaded, what it asks for at the same time is one request', async (t) => {
  const { baseURL, requests } = await gateway(t, echo);
  const parley = new GatheringParley({ baseURL, token: 't' });
  const asked = await parley.gathering(() =>
    Promise.allSettled(['/v1/a', '/v1/none', '/v1/b'].map((path) => parley.request('GET', path))));
  assert.deepEqual(asked.map(({ value, reason }) => value?.path ?? reason.status), ['/v1/a', 404, '/v1/b']);
  assert.equal(requests.length, 1);
});

test('what is asked alone, may be cancelled, or is the user’s own doing goes alone', async (t) => {
  const { baseURL, requests } = await gateway(t, json(200, {}));
  const parley = new GatheringParley({ baseURL, token: 't' });
  await parley.gathering(() => parley.request('GET', '/v1/a'));
  await parley.gathering(() => Promise.all([parley.request('GET', '/v1/b', { signal: new AbortController().signal }), parley.request('DELETE', '/v1/c'), parley.request('POST', '/v1/messages')]));
  await Promise.all([new GatheringParley({ baseURL, token: 't' })].flatMap((idle) => [idle.request('GET', '/v1/d'), idle.request('GET', '/v1/e')]));
  assert.deepEqual(requests.map(({ method, url }) => `${method} ${url}`).sort(), ['DELETE /v1/c', 'GET /v1/a', 'GET /v1/b', 'GET /v1/d', 'GET /v1/e', 'POST /v1/messages']);
});

test('when the whole is refused, each part is', async (t) => {
  const { baseURL } = await gateway(t, problem(401, 'unauthorized'));
  const parley = new GatheringParley({ baseURL, token: 't' });
  const asked = await parley.gathering(() => Promise.allSettled([parley.request('GET', '/v1/a'), parley.request('GET', '/v1/b')]));
  assert.deepEqual(asked.map(({ reason }) => reason.status), [401, 401]);
});

test('many are several requests', async (t) => {
  const { baseURL, requests } = await gateway(t, echo);
  const parley = new GatheringParley({ baseURL, token: 't' });
  const paths = Array.from({ length: 21 }, (_, at) => `/v1/${at}`);
  const asked = await parley.gathering(() => Promise.all(paths.map((path) => parley.request('GET', path))));
  assert.deepEqual(requests.map(({ method, url }) => `${method} ${url}`).sort(), ['GET /v1/20', 'POST /v1/batch']);
  assert.deepEqual(asked.map(({ path }) => path), paths);
});

/** A storage of somebody who is signed in. */
function storage(items = { 'parley.page': 'half' }) {
  const kept = new Map(Object.entries(items));
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name), kept };
}

test('what was shown last is kept without names and words', () => {
  const place = storage();
  const shown = new LastShown('desk', place);
  const thread = { id: 't', state: 'ready', channel: 'c', name: 'Ada’s lamp', customer: { id: 'ada', firstName: 'Ada' }, lastMessage: { text: 'secret' } };
  shown.keep(thread, { session: { id: 's' } });
  assert.deepEqual(shown.at('t'), { thread: { id: 't', state: 'ready', channel: 'c', customer: { id: 'ada' }, updatedAt: '', isKept: true }, session: { id: 's' } });
  assert.doesNotMatch([...place.kept.values()].join(), /Ada|secret/);
  for (const other of ['u', null, '']) assert.equal(shown.at(other), undefined);
  shown.forget();
  assert.equal(shown.at('t'), undefined);
});

test('nothing is kept of what one cannot write in, nor for whoever is not signed in', () => {
  for (const [items, thread] of [[undefined, { state: 'closed' }], [undefined, { state: 'pending' }], [undefined, { state: 'ready', memberState: 'invited' }], [{}, { state: 'ready' }]]) {
    const shown = new LastShown('chat', storage(items));
    shown.keep({ id: 't', ...thread });
    assert.equal(shown.at('t'), undefined);
  }
  assert.equal(new LastShown('chat', storage({ 'parley.shown.chat': '{' })).at('t'), undefined);
});
