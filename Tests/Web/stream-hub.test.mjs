import assert from 'node:assert/strict';
import test from 'node:test';
import { StreamHub } from '../../web/assets/stream-hub.js';
import { Parley } from '../../web/parley.js';
import { frame, gateway, json, problem, stream } from './gateway.mjs';

const ready = (id) => frame('ready', { cursor: id, sessions: {} }, id);
const event = (id, who) => frame('message.created', { ...who }, id);
const open = { open: true };

class Tab {
  got = [];
  post(message) {
    this.got.push(message);
  }
  ops(op) {
    return this.got.filter((message) => message.op === op);
  }
  get ids() {
    return this.ops('event').map((message) => message.event.id);
  }
}

async function until(check) {
  for (const end = Date.now() + 3000; !check(); ) {
    assert.ok(Date.now() < end, 'waited too long');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function hub(t, ...handlers) {
  const { baseURL, requests } = await gateway(t, ...handlers);
  const made = new StreamHub(new Parley({ baseURL }), { delay: 5 });
  const tabs = [new Tab(), new Tab(), new Tab()];
  t.after(() => tabs.forEach((tab) => made.leave(tab)));
  return { hub: made, tabs, requests };
}

test('one stream for all tabs; each gets what concerns it', async (t) => {
  const events = [ready('e-1'), event('e-2', { sessions: ['a'] }), event('e-3', { desk: true }), event('e-4', { sessions: ['b', 'a'], desk: true })];
  const { hub: it, tabs: [a, b, desk], requests } = await hub(t, stream(events, open));
  it.follow(a, { sessions: ['a'] });
  it.follow(b, { sessions: ['b'] });
  it.follow(desk, { desk: true });
  await until(() => desk.ids.includes('e-4'));
  assert.deepEqual([a.ids, b.ids, desk.ids], [['e-1', 'e-2', 'e-4'], ['e-1', 'e-4'], ['e-1', 'e-3', 'e-4']]);
  assert.deepEqual(requests.map(({ url }) => url), ['/v1/events?session=a&session=b&desk=true']);
  for (const tab of [a, b, desk]) assert.deepEqual(tab.ops('joined'), [{ op: 'joined', cursor: 'e-1' }]);
});

test('the stream names the device of the desk of which its tabs speak', async (t) => {
  const { hub: it, tabs: [a, b], requests } = await hub(t, stream([ready('e-1')], open), stream([ready('e-1')], open));
  it.follow(a, { desk: true, collections: true, holder: 'page', device: 'd1' });
  it.follow(b, { desk: true, device: 'd1' });
  await until(() => b.ids.length > 0);
  it.follow(a, { desk: true });
  it.follow(b, { desk: true });
  await until(() => requests.length === 2);
  const asked = requests.map(({ url }) => url.split('?')[1]);
  assert.deepEqual(asked, ['desk=true&collections=true&holder=d1&holder=page', 'desk=true']);
});

test('when the set changes the stream is opened anew from its cursor: nothing lost, nothing twice', async (t) => {
  const { hub: it, tabs: [a, b], requests } = await hub(
    t,
    stream([ready('e-1'), event('e-2', { sessions: ['a'] })], open),
    stream([event('e-2', { sessions: ['a'] }), event('e-3', { sessions: ['a'] }), event('e-4', { sessions: ['b'] }), ready('e-4')], open),
  );
  it.follow(a, { sessions: ['a'] });
  await until(() => a.ids.includes('e-2'));
  it.follow(b, { sessions: ['b'] });
  await until(() => b.ids.includes('e-4'));
  assert.deepEqual(a.ids, ['e-1', 'e-2', 'e-3', 'e-4']); // the last is `ready`
  assert.deepEqual(b.ids, ['e-4', 'e-4']);
  assert.deepEqual(b.ops('joined'), [{ op: 'joined', cursor: 'e-2' }]);
  assert.deepEqual(requests.map(({ url, headers }) => [url, headers['last-event-id']]), [
    ['/v1/events?session=a', undefined],
    ['/v1/events?session=a&session=b', 'e-2'],
  ]);
});

test('a tab that reloads costs no new stream', async (t) => {
  const { hub: it, tabs: [a, b], requests } = await hub(t, stream([ready('e-1')], open));
  it.follow(a, { sessions: ['a'] });
  await until(() => a.ids.length === 1);
  it.leave(a);
  it.follow(b, { sessions: ['a'] });
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(requests.length, 1);
  assert.deepEqual(b.ops('joined'), [{ op: 'joined', cursor: 'e-1' }]);
});

test('a new leader goes on from where a tab stood', async (t) => {
  const { hub: it, tabs: [a], requests } = await hub(t, stream([event('e-8', { sessions: ['a'] }), ready('e-8')], open));
  it.follow(a, { sessions: ['a'], after: 'e-7' });
  await until(() => a.ids.length === 2);
  assert.equal(requests[0].headers['last-event-id'], 'e-7');
  assert.deepEqual(a.ops('joined'), [{ op: 'joined', cursor: 'e-7' }]);
});

test('reset reaches everybody', async (t) => {
  const reset = frame('reset', { reason: 'foreignEpoch', snapshot: '/' }, 'f-1');
  const { hub: it, tabs: [a, desk] } = await hub(t, stream([reset, ready('f-1')], open));
  it.follow(a, { sessions: ['a'], after: 'e-7' });
  it.follow(desk, { desk: true });
  await until(() => a.ids.length === 2 && desk.ids.length === 2);
  assert.deepEqual(desk.ops('event').map((message) => message.event.type), ['reset', 'ready']);
});

test('one deleted session does not end the stream of the others', async (t) => {
  const bySession = (seen, response) => {
    const gone = seen.url.includes('gone');
    if (!seen.url.startsWith('/v1/events')) return (gone ? problem(404, 'unknownSession') : json(200, {}))(seen, response);
    return (gone ? problem(404, 'unknownSession') : stream([ready('e-1'), event('e-2', { sessions: ['a'] })], open))(seen, response);
  };
  const { hub: it, tabs: [a, b] } = await hub(t, bySession);
  it.follow(a, { sessions: ['a'] });
  it.follow(b, { sessions: ['gone'] });
  await until(() => a.ids.includes('e-2'));
  assert.deepEqual(b.ops('gone'), [{ op: 'gone', session: 'gone' }]);
  assert.deepEqual(a.ops('gone'), []);
});

test('a refusal is told; following again tries again', async (t) => {
  const { hub: it, tabs: [a], requests } = await hub(t, problem(401, 'unauthorized'), stream([ready('e-1')], open));
  it.follow(a, { sessions: ['a'] });
  await until(() => a.ops('failed').length === 1);
  assert.equal(a.ops('failed')[0].error.status, 401);
  it.follow(a, { sessions: ['a'] });
  await until(() => a.ops('joined').length === 1);
  assert.equal(requests.length, 2);
});

test('the stream names the tabs that keep collections as their holders; who has none is not named', async (t) => {
  const { hub: it, tabs: [a, b, desk], requests } = await hub(t, stream([ready('e-1')], open), stream([ready('e-1')], open));
  it.follow(a, { sessions: ['a'], collections: true, holder: 'two' });
  it.follow(b, { sessions: ['a'] , holder: 'none' });
  it.follow(desk, { desk: true, collections: true, holder: 'one' });
  await until(() => desk.ids.length);
  it.leave(a);
  await until(() => requests.length === 2);
  assert.deepEqual(requests.map(({ url }) => url), [
    '/v1/events?session=a&desk=true&collections=true&holder=one&holder=two',
    '/v1/events?session=a&desk=true&collections=true&holder=one',
  ]);
});
