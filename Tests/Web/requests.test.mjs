import assert from 'node:assert/strict';
import test from 'node:test';
import { allItems, Parley, ParleyError, versionOf } from '../../web/parley.js';
import { gateway, hangUp, json, problem } from './gateway.mjs';

const FAST = { delay: 5 };

test('a send is tried again under the same id until it is taken', async (t) => {
  const { baseURL, requests } = await gateway(t, hangUp, problem(503, 'busy'), problem(429, 'slow'), json(200, { id: 'm', text: 'Hi' }));
  const message = await new Parley({ baseURL }).session('s').thread('t').messages.send({ text: 'Hi' }, FAST);
  assert.equal(message.id, 'm');
  assert.equal(requests.length, 4);
  assert.equal(new Set(requests.map(({ body }) => body.id)).size, 1);
  assert.match(requests[0].body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});

test('a send that is refused is not tried again', async (t) => {
  for (const [status, code] of [[409, 'messageIdConflict'], [422, 'textTooLong'], [401, 'unauthorized']]) {
    const { baseURL, requests } = await gateway(t, problem(status, code));
    const sent = new Parley({ baseURL }).session('s').thread('t').messages.send({ id: 'mine', text: 'Hi' }, FAST);
    await assert.rejects(sent, (error) => error instanceof ParleyError && error.code === code && !error.temporary);
    assert.deepEqual(requests.map(({ body }) => body.id), ['mine']);
  }
});

test('the message of an error names each member that is wrong', async (t) => {
  const errors = [{ pointer: '#/nme', code: 'unknownMember', detail: 'is not known here' }, { pointer: '#/id' , code: 'tooLong' }];
  const { baseURL } = await gateway(t, json(422, { title: 'Wrong', code: 'unknownMember', detail: 'so', errors }), problem(503, 'busy'));
  const { threads } = new Parley({ baseURL }).session('s');
  await assert.rejects(threads.create({ nme: 'x' }), { message: 'Wrong (#/nme: is not known here; #/id: tooLong)', detail: 'so', errors });
});

test('all items of a list come page by page', async (t) => {
  const { baseURL, requests } = await gateway(
    t, json(200, { items: [{ id: 'a' }, { id: 'b' }], next: 'n' }), json(200, { items: [], next: 'o' }), json(200, { items: [{ id: 'c' }] }));
  const parley = new Parley({ baseURL });
  const ids = [];
  for await (const { id } of parley.desk.threads.all({ limit: 2 })) ids.push(id);
  for await (const { id } of allItems((page) => parley.session('s').search('x', page))) ids.push(id);
  assert.deepEqual(ids, ['a', 'b', 'c', 'c']);
  assert.deepEqual(requests.map(({ url }) => url.split('?')[1]), ['limit=2', 'limit=2&cursor=n', 'limit=2&cursor=o', 'q=x']);
});

test('a send gives up after its tries, and says that it was the network', async (t) => {
  const { baseURL, requests } = await gateway(t, hangUp);
  const sent = new Parley({ baseURL }).desk.thread('t').messages.send({ text: 'Hi' }, { tries: 3, delay: 5 });
  await assert.rejects(sent, { code: 'unreachable', status: 0, temporary: true });
  assert.equal(requests.length, 3);
});

test('a send waits as long as the gateway asks', async (t) => {
  const { baseURL } = await gateway(t, problem(429, 'slow', { 'Retry-After': '1' }), json(201, { id: 'm' }));
  const begun = performance.now();
  await new Parley({ baseURL }).session('s').thread('t').messages.send({ text: 'Hi' }, FAST);
  assert.ok(performance.now() - begun > 950);
});

test('an aborted send ends with the signal\'s reason', async (t) => {
  const { baseURL } = await gateway(t, hangUp);
  const signal = AbortSignal.timeout(40);
  await assert.rejects(new Parley({ baseURL }).session('s').thread('t').messages.send({ text: 'x' }, { delay: 1000, signal }), { name: 'TimeoutError' });
});

test('a request has a time limit', async (t) => {
  const { baseURL } = await gateway(t, () => {});
  await assert.rejects(new Parley({ baseURL, timeout: 50 }).info(), { code: 'timeout', status: 0 });
});

test('a page of events is asked for as JSON, and may wait longer than other requests', async (t) => {
  const page = { items: [], cursor: 'e-5', hasMore: false };
  const late = (seen, response) => setTimeout(() => json(200, page)(seen, response), 150);
  const { baseURL, requests } = await gateway(t, late);
  const parley = new Parley({ baseURL, timeout: 50 });
  assert.deepEqual(await parley.eventPage({ sessions: ['a', 'b'], desk: true, types: ['typing'], after: 'e-5', wait: 1 }), page);
  assert.equal(requests[0].url, '/v1/events?session=a&session=b&desk=true&types=typing&after=e-5&wait=1');
  assert.equal(requests[0].headers.accept, 'application/json');
  await assert.rejects(parley.eventPage({ desk: true }), { code: 'timeout' });
});

test('a problem comes as an error with its members', async (t) => {
  const { baseURL } = await gateway(t, problem(422, 'invalidValue'));
  await assert.rejects(new Parley({ baseURL }).sessions.create({ channel: 'x' }), (error) => {
    assert.deepEqual([error.status, error.code, error.message, error.errors], [422, 'invalidValue', 'invalidValue (#/text)', [{ pointer: '#/text' }]]);
    return true;
  });
});

test('an answer has its version, with which a change is made only if there is none since', async (t) => {
  const known = json(200, { id: 'w' }, { ETag: 'W/"3-1f"' });
  const { baseURL, requests } = await gateway(t, known, problem(412, 'preconditionFailed'), json(200, { id: 'w' }));
  const webhook = new Parley({ baseURL }).webhook('w');
  const ifMatch = versionOf(await webhook.get());
  assert.equal(ifMatch, 'W/"3-1f"');
  await assert.rejects(webhook.update({ types: null }, { ifMatch }), { status: 412 });
  const unversioned = await webhook.update({ types: null });
  assert.equal(versionOf(unversioned), undefined);
  assert.deepEqual(requests.map(({ headers }) => headers['if-match']), [undefined, ifMatch, undefined]);
  const parley = new Parley({ baseURL });
  const [options, message] = [{ ifMatch: versionOf(unversioned) }, parley.session('s').thread('t').message('m')];
  await assert.rejects(webhook.update({ types: null }, options), TypeError);
  await assert.rejects(parley.session('s').thread('t').update({ name: 'x' }, options), TypeError);
  await assert.rejects(message.edit({ text: 'x' }, options), TypeError);
  await assert.rejects(message.delete(options), TypeError);
  await assert.rejects(parley.request('PATCH', '/v1/x', options), TypeError);
  assert.equal(requests.length, 3);
});

test('all messages come page by page', async (t) => {
  const { baseURL, requests } = await gateway(
    t,
    json(200, { items: [{ id: '4' }, { id: '3' }], next: 'c/1', cursor: 'e-4' }),
    json(200, { items: [{ id: '2' }], next: 'c2', cursor: 'e-4' }),
    json(200, { items: [], cursor: 'e-4' }),
  );
  const ids = [];
  for await (const message of new Parley({ baseURL }).session('s').thread('t').messages.all({ limit: 2 })) ids.push(message.id);
  assert.deepEqual(ids, ['4', '3', '2']);
  assert.deepEqual(requests.map(({ url }) => url.split('?')[1]), ['limit=2', 'limit=2&cursor=c%2F1', 'limit=2&cursor=c2']);
});

const agent = { id: 'a', name: 'A' };
const CALLS = [
  [(p) => p.info(), 'GET /v1/info'],
  [(p) => p.services(), 'GET /v1/services'],
  [(p) => p.sessions.create({ channel: 'multi' }), 'POST /v1/sessions', { channel: 'multi' }],
  [(p) => p.sessions.list(), 'GET /v1/sessions'],
  [(p) => p.session('s').delete(), 'DELETE /v1/sessions/s'],
  [(p) => p.session('s').connect(), 'POST /v1/sessions/s/connect'],
  [(p) => p.session('s').disconnect(), 'POST /v1/sessions/s/disconnect'],
  [(p) => p.session('s').customer.get(), 'GET /v1/sessions/s/customer'],
  [(p) => p.session('s').customer.set({ firstName: 'J' }), 'PUT /v1/sessions/s/customer', { firstName: 'J' }],
  [(p) => p.session('s').customer.setCustomFields({ k: 'v' }), 'PUT /v1/sessions/s/customer/customFields', { customFields: { k: 'v' } }],
  [(p) => p.session('s').threads.list({ state: 'open', limit: 5 }), 'GET /v1/sessions/s/threads?state=open&limit=5'],
  [(p) => p.session('s').threads.create(), 'POST /v1/sessions/s/threads', {}],
  [(p) => p.session('s').thread('a/b?c').get(), 'GET /v1/sessions/s/threads/a%2Fb%3Fc'],
  [(p) => p.session('s').thread('t').update({ name: null }), 'PATCH /v1/sessions/s/threads/t', { name: null }],
  [(p) => p.session('s').thread('t').archive(), 'POST /v1/sessions/s/threads/t/archive'],
  [(p) => p.session('s').thread('t').load(), 'POST /v1/sessions/s/threads/t/load'],
  [(p) => p.session('s').thread('t').read(), 'POST /v1/sessions/s/threads/t/read'],
  [(p) => p.session('s').thread('t').typing({ isTyping: true }), 'POST /v1/sessions/s/threads/t/typing', { isTyping: true }],
  [(p) => p.session('s').thread('t').customFields(), 'GET /v1/sessions/s/threads/t/customFields'],
  [(p) => p.session('s').thread('t').message('m').get(), 'GET /v1/sessions/s/threads/t/messages/m'],
  [(p) => p.session('s').thread('t').message('m').edit({ text: 'x' }), 'PATCH /v1/sessions/s/threads/t/messages/m', { text: 'x' }],
  [(p) => p.session('s').thread('t').message('m').delete(), 'DELETE /v1/sessions/s/threads/t/messages/m'],
  [(p) => p.desk.threads.list({ state: 'all', channel: 'c' }), 'GET /v1/desk/threads?state=all&channel=c'],
  [(p) => p.desk.thread('t').assign(agent), 'POST /v1/desk/threads/t/assign', { agent }],
  [(p) => p.desk.thread('t').typing({ isTyping: true, agent }), 'POST /v1/desk/threads/t/typing', { isTyping: true, agent }],
  [(p) => p.desk.thread('t').assign(agent, { ifAgent: 'none' }), 'POST /v1/desk/threads/t/assign', { agent, ifAgent: 'none' }],
  [(p) => p.desk.thread('t').close(), 'POST /v1/desk/threads/t/close'],
  [(p) => p.desk.thread('t', { agent: 'eve' }).close(), 'POST /v1/desk/threads/t/close?as=eve'],
  [(p) => p.desk.thread('t', { agent: 'eve' }).get(), 'GET /v1/desk/threads/t'],
  [(p) => p.desk.thread('t', { agent: 'eve' }).message('m').delete(), 'DELETE /v1/desk/threads/t/messages/m?as=eve'],
  [(p) => p.desk.thread('t', { agent: 'eve' }).notes.remove('n'), 'DELETE /v1/desk/threads/t/notes/n?as=eve'],
  [(p) => p.desk.thread('t').remove(), 'DELETE /v1/desk/threads/t'],
  [(p) => p.desk.thread('t', { owner: { channel: 'c', customer: 'u' } }).read(), 'POST /v1/desk/threads/t/read?channel=c&customer=u'],
  [(p) => p.desk.channels.list(), 'GET /v1/desk/channels'],
  [(p) => p.desk.channels.create({ id: 'c', mode: 'singlethread' }), 'POST /v1/desk/channels', { id: 'c', mode: 'singlethread' }],
  [(p) => p.desk.channel('c').setAvailability({ isOnline: true }), 'PUT /v1/desk/channels/c/availability', { isOnline: true }],
  [(p) => p.session('s').viewing.set({ threadId: 't', holder: 'h' }), 'PUT /v1/sessions/s/viewing', { threadId: 't', holder: 'h' }],
  [(p) => p.session('s').viewing.delete({ holders: ['a', 'b'] }), 'DELETE /v1/sessions/s/viewing?holder=a&holder=b'],
  [(p) => p.session('s').device.deliveries({ state: 'dead' }), 'GET /v1/sessions/s/device/deliveries?state=dead'],
  [(p) => p.channel({ service: 'local', channel: 'c' }), 'GET /v1/services/local/channels/c'],
  [(p) => p.webhooks.list({ limit: 5, cursor: 'c' }), 'GET /v1/webhooks?limit=5&cursor=c'],
  [(p) => p.webhooks.create({ url: 'https://h' }), 'POST /v1/webhooks', { url: 'https://h' }],
  [(p) => p.webhook('a/b').get(), 'GET /v1/webhooks/a%2Fb'],
  [(p) => p.webhook('w').update({ types: null }), 'PATCH /v1/webhooks/w', { types: null }],
  [(p) => p.webhook('w').delete(), 'DELETE /v1/webhooks/w'],
  [(p) => p.webhook('w').test(), 'POST /v1/webhooks/w/test'],
  [(p) => p.webhook('w').pause(), 'POST /v1/webhooks/w/pause'],
  [(p) => p.webhook('w').resume(), 'POST /v1/webhooks/w/resume'],
  [(p) => p.webhook('w').rotate(), 'POST /v1/webhooks/w/rotate'],
  [(p) => p.webhook('v').rotate({ graceSeconds: 0 }), 'POST /v1/webhooks/v/rotate', { graceSeconds: 0 }],
  [(p) => p.webhook('w').replay({ after: 'e-1' }), 'POST /v1/webhooks/w/replay', { after: 'e-1' }],
  [(p) => p.webhook('w').deliveries({ state: 'dead', limit: 5 }), 'GET /v1/webhooks/w/deliveries?state=dead&limit=5'],
  [(p) => p.webhook('w').delivery('7'), 'GET /v1/webhooks/w/deliveries/7'],
  [(p) => p.webhook('w').redeliver('7'), 'POST /v1/webhooks/w/deliveries/7/redeliver'],
  [(p) => p.webhook('w').redeliverDead(), 'POST /v1/webhooks/w/deliveries/redeliver', { state: 'dead' }],
];

for (const [call, line, body] of CALLS) {
  test(line, async (t) => {
    const { baseURL, requests } = await gateway(t, json(200, {}));
    await call(new Parley({ baseURL: `${baseURL}/`, token: 'x' }));
    assert.equal(`${requests[0].method} ${requests[0].url}`, line);
    assert.deepEqual(requests[0].body, body);
    assert.equal(requests[0].headers['content-type'], body && 'application/json');
    assert.equal(requests[0].headers.authorization, 'Bearer x');
  });
}

test('a request with a signal has a time limit too, also where signals cannot be joined', { timeout: 10_000 }, async (t) => {
  const { any } = AbortSignal;
  AbortSignal.any = undefined; // Node 18, Safari before 17.4
  t.after(() => (AbortSignal.any = any));
  const { baseURL, requests } = await gateway(t, () => {});
  const parley = new Parley({ baseURL, timeout: 50 });
  await assert.rejects(parley.sessions.list({ signal: new AbortController().signal }), { code: 'timeout', status: 0 });
  const gone = AbortSignal.abort(new Error('left'));
  await assert.rejects(parley.sessions.list({ signal: gone }), { message: 'left' });
  assert.equal(requests.length, 1);
  const leaving = new AbortController();
  const asked = new Parley({ baseURL }).sessions.list({ signal: leaving.signal });
  leaving.abort(new Error('left later'));
  await assert.rejects(asked, { message: 'left later' });
});

test('what every URL takes for a step of its path is no id', () => {
  const parley = new Parley({ baseURL: 'http://127.0.0.1:1' });
  for (const step of ['.', '..']) {
    for (const use of [() => parley.session(step), () => parley.desk.thread(step), () => parley.session('s').thread('t').message(step)]) {
      assert.throws(use, TypeError);
    }
  }
  assert.equal(parley.desk.thread('...').base, '/v1/desk/threads/...');
});

test('a query is asked also where search parameters have no size', async (t) => {
  const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size');
  delete URLSearchParams.prototype.size; // Safari before 17, Chrome before 113, Firefox before 112
  t.after(() => Object.defineProperty(URLSearchParams.prototype, 'size', size));
  const { baseURL, requests } = await gateway(t, json(200, { items: [] }));
  await new Parley({ baseURL }).sessions.list({ limit: 2 });
  assert.equal(requests[0].url, '/v1/sessions?limit=2');
});

test('an answer that is no JSON is told from none', async (t) => {
  const page = (_, response) => response.end('<html>');
  const { baseURL } = await gateway(t, page, json(502, 'just a text'));
  const parley = new Parley({ baseURL });
  await assert.rejects(parley.info(), { name: 'ParleyError', code: 'notJSON', status: 0 });
  await assert.rejects(parley.info(), { code: 'unknown', status: 502, detail: '502 Bad Gateway' });
});

test('what makes something takes a key, and what changes something a version', async (t) => {
  const { baseURL, requests } = await gateway(t, json(200, { id: 'x' }));
  const parley = new Parley({ baseURL });
  const [thread, atDesk] = [parley.session('s').thread('t'), parley.desk.thread('t')];
  const made = [parley.session('s').threads, parley.desk.threads, parley.desk.channels].map((list) => list.create({ id: 'x' }, { key: 'k' }));
  await Promise.all(made);
  assert.deepEqual(requests.map(({ headers }) => headers['idempotency-key']), ['k', 'k', 'k']);
  const version = { ifMatch: 'W/"1"' };
  const changes = [thread.update({ name: 'x' }, version), atDesk.update({ name: 'x' }, version)];
  for (const message of [thread.message('m'), atDesk.message('m')]) changes.push(message.edit({ text: 'x' }, version), message.delete(version));
  await Promise.all(changes);
  assert.deepEqual(requests.slice(3).map(({ headers }) => headers['if-match']), Array(6).fill('W/"1"'));
});
