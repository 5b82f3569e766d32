import assert from 'node:assert/strict';
import test from 'node:test';
import { Parley, ParleyError } from '../../web/parley.js';
import { collect, frame, gateway, hangUp, json, problem, stream } from './gateway.mjs';

const FAST = 'retry: 10\n\n';
const created = (id, text) => frame('message.created', { sessions: ['a'], message: { text } }, id);
const ready = (id) => frame('ready', { cursor: id }, id);

test('a stream is open before the first event is taken', async (t) => {
  const { baseURL, requests } = await gateway(t, stream([frame('ready', {}, 'e-1'), frame('a', {}, 'e-2')], { open: true }));
  const events = new Parley({ baseURL }).desk.events();
  await events.opened;
  assert.equal(requests.length, 1);
  assert.deepEqual((await collect(events, ({ type }) => type === 'a')).map(({ id }) => id), ['e-1', 'e-2']);
  assert.equal((await events.next()).done, true);
  const refused = new Parley({ baseURL: (await gateway(t, problem(403, 'forbidden'))).baseURL }).desk.events();
  await assert.rejects(refused.opened, { code: 'forbidden' });
  await assert.rejects(refused.next(), { code: 'forbidden' });
});

test('follows sessions and the desk on one stream, with the token', async (t) => {
  const { baseURL, requests } = await gateway(t, stream([ready('e-1')], { open: true }));
  const parley = new Parley({ baseURL, token: 'secret' });
  const events = parley.events({ sessions: ['a', 'b c'], desk: true, types: ['typing', 'message.created'] });
  assert.deepEqual(await collect(events, () => true), [{ type: 'ready', id: 'e-1', data: { cursor: 'e-1' } }]);
  assert.equal(requests[0].url, '/v1/events?session=a&session=b+c&desk=true&types=typing%2Cmessage.created');
  assert.equal(requests[0].headers.authorization, 'Bearer secret');
  assert.equal(requests[0].headers['last-event-id'], undefined);
});

test('resumes after a drop from the last id, and delivers each id once', async (t) => {
  const { baseURL, requests } = await gateway(
    t,
    stream([FAST, ready('e-1'), created('e-2', 'one'), frame('ping', { cursor: 'e-5' }, 'e-5')]),
    hangUp,
    problem(503, 'starting'),
    stream([FAST, created('e-2', 'again'), created('e-5', 'again'), created('e-6', 'two'), ready('e-6')]),
  );
  const states = [];
  const onState = (state) => states.push(state);
  const events = new Parley({ baseURL }).events({ sessions: ['a'], after: 'e-0', onState });
  const all = await collect(events, (_, got) => got.filter(({ type }) => type === 'ready').length === 2);
  assert.deepEqual(all.map(({ type, id }) => [type, id]), [
    ['ready', 'e-1'], ['message.created', 'e-2'], ['ping', 'e-5'], ['message.created', 'e-6'], ['ready', 'e-6'],
  ]);
  assert.deepEqual(requests.map(({ headers }) => headers['last-event-id']), ['e-0', 'e-5', 'e-5', 'e-5']);
  assert.deepEqual(states, ['connecting', 'live', 'waiting', 'connecting', 'waiting', 'connecting', 'waiting', 'connecting', 'live']);
});

test('an id without data moves the cursor; typing without id leaves it', async (t) => {
  const typing = frame('typing', { isTyping: true });
  const { baseURL, requests } = await gateway(t, stream([FAST, 'id: e-9\n\n', typing]), stream([ready('e-9')], { open: true }));
  const all = await collect(new Parley({ baseURL }).events({ sessions: ['a'] }), ({ type }) => type === 'ready');
  assert.deepEqual(all.map(({ type }) => type), ['typing', 'ready']);
  assert.equal(requests[1].headers['last-event-id'], 'e-9');
});

test('an event cut in half by a drop is not delivered twice, nor half', async (t) => {
  const whole = created('e-2', 'whole');
  const { baseURL } = await gateway(t, stream([FAST, ready('e-1'), whole.slice(0, -1)]), stream([whole, ready('e-2')], { open: true }));
  const all = await collect(new Parley({ baseURL }).events({ sessions: ['a'] }), ({ id, type }) => type === 'ready' && id === 'e-2');
  assert.deepEqual(all.map(({ id }) => id), ['e-1', 'e-2', 'e-2']);
});

test('a character cut in two by chunks comes whole', async (t) => {
  const bytes = Buffer.from(created('e-2', 'Grüße 👋'));
  const { baseURL } = await gateway(t, async (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const at = bytes.indexOf(Buffer.from('👋')) + 2;
    response.write(bytes.subarray(0, at));
    await new Promise((resolve) => setTimeout(resolve, 30));
    response.write(bytes.subarray(at));
  });
  const [event] = await collect(new Parley({ baseURL }).events({ sessions: ['a'] }), () => true);
  assert.equal(event.data.message.text, 'Grüße 👋');
});

test('hands reset on and goes on in the new epoch', async (t) => {
  const reset = frame('reset', { reason: 'foreignEpoch', snapshot: '/v1/sessions/a/threads' }, 'f-3');
  const { baseURL, requests } = await gateway(
    t,
    stream([FAST, reset, ready('f-3'), created('f-4', 'new')]),
    stream([ready('f-4')], { open: true }),
  );
  const all = await collect(new Parley({ baseURL }).events({ sessions: ['a'], after: 'e-70' }), (_, got) => got.length === 4);
  assert.deepEqual(all.map(({ type, id }) => [type, id]), [
    ['reset', 'f-3'], ['ready', 'f-3'], ['message.created', 'f-4'], ['ready', 'f-4'],
  ]);
  assert.equal(requests[1].headers['last-event-id'], 'f-4');
});

test('the watchdog ends a connection on which nothing comes', async (t) => {
  const { baseURL, requests } = await gateway(
    t,
    stream([FAST, ready('e-1')], { open: true }),
    () => {}, // takes the request and says nothing at all
    stream([created('e-2', 'after'), ready('e-2')], { open: true }),
  );
  const events = new Parley({ baseURL }).events({ sessions: ['a'], watchdog: 300 });
  const all = await collect(events, ({ id }) => id === 'e-2');
  assert.deepEqual(all.map(({ id }) => id), ['e-1', 'e-2']);
  assert.ok(requests.length >= 3, 'the connection that said nothing was given up'); // more on a machine that stands still
});

test('the watchdog counts comments as life, and not the time the consumer takes', async (t) => {
  const { baseURL, requests } = await gateway(t, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(ready('e-1'));
    let beats = 0;
    const timer = setInterval(() => {
      response.write(++beats < 6 ? ': beat\n\n' : created('e-2', 'late'));
      if (beats === 6) clearInterval(timer);
    }, 100);
  });
  for await (const event of new Parley({ baseURL }).events({ sessions: ['a'], watchdog: 500 })) {
    if (event.id === 'e-2') break;
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  assert.equal(requests.length, 1);
});

for (const [status, code] of [[401, 'unauthorized'], [403, 'forbidden'], [404, 'unknownSession'], [400, 'invalidParameter']]) {
  test(`${status} ends the stream with an error`, async (t) => {
    const { baseURL, requests } = await gateway(t, problem(status, code));
    const error = await collect(new Parley({ baseURL }).events({ sessions: ['a'] }), () => false).catch((thrown) => thrown);
    assert.ok(error instanceof ParleyError);
    assert.deepEqual([error.status, error.code, error.detail], [status, code, `It is ${code}.`]);
    assert.equal(requests.length, 1);
  });
}

test('an answer that is no event stream is tried again', async (t) => {
  const { baseURL, requests } = await gateway(t, stream([FAST, ready('e-1')]), json(200, {}), stream([ready('e-1')], { open: true }));
  await collect(new Parley({ baseURL }).events({ sessions: ['a'] }), (_, all) => all.length === 2);
  assert.equal(requests.length, 3);
});

test('the signal ends it quietly: while live, and while waiting', async (t) => {
  for (const handler of [stream([ready('e-1')], { open: true }), stream([ready('e-1')])]) {
    const { baseURL } = await gateway(t, handler);
    const abort = new AbortController();
    let count = 0;
    setTimeout(() => abort.abort(), 60);
    await new Parley({ baseURL }).follow({ sessions: ['a'], signal: abort.signal }, () => count++);
    assert.equal(count, 1);
  }
});

test('leaving the loop closes the connection', async (t) => {
  let closed;
  const gone = new Promise((resolve) => (closed = resolve));
  const { baseURL } = await gateway(t, (seen, response) => {
    response.on('close', closed);
    stream([ready('e-1')], { open: true })(seen, response);
  });
  await collect(new Parley({ baseURL }).events({ sessions: ['a'] }), () => true);
  await gone;
});

test('return ends it also while a reader waits for its next event', { timeout: 10_000 }, async (t) => {
  const { baseURL } = await gateway(t, stream([ready('e-1')], { open: true }));
  const events = new Parley({ baseURL }).desk.events();
  const waiting = collect(events, () => false);
  await events.opened;
  await events.return();
  assert.deepEqual((await waiting).map(({ type }) => type), ['ready']);
  assert.equal(events[Symbol.asyncIterator](), events);
});

test('an empty list asks for nothing', async (t) => {
  const { baseURL, requests } = await gateway(t, stream([ready('e-1')], { open: true }), json(200, { items: [] }));
  const parley = new Parley({ baseURL });
  await collect(parley.events({ desk: true, types: [], collections: [], holders: [] }), () => true);
  await parley.eventPage({ desk: true, types: [] });
  assert.deepEqual(requests.map(({ url }) => url), ['/v1/events?desk=true', '/v1/events?desk=true']);
});
