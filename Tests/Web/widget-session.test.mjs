import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { Drafts } from '../../web/widget/drafts.js';
import { Feed, wanted } from '../../web/widget/feed.js';
import { Outbox, verdict } from '../../web/widget/outbox.js';
import { sha256, solve } from '../../web/widget/proof.js';
import { Store } from '../../web/widget/store.js';
import { subjectOf, Visitor } from '../../web/widget/visitor.js';

const digest = (text) => createHash('sha256').update(text).digest('hex');
const turn = () => new Promise((resolve) => setTimeout(resolve));

/** A browser's storages, or some of them. */
function browser({ local = true, session = true } = {}) {
  const place = () => {
    const items = new Map();
    return { getItem: (key) => items.get(key) ?? null, setItem: (key, text) => items.set(key, text), removeItem: (key) => items.delete(key) };
  };
  const refuse = () => {
    throw new Error('refused');
  };
  const [one, two] = [place(), place()];
  return { get localStorage() { return local ? one : refuse(); }, get sessionStorage() { return session ? two : refuse(); } };
}

test('SHA-256 is SHA-256, at every border of a block', async () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 300]) assert.equal(sha256('ä'.repeat(length)), digest('ä'.repeat(length)), length);
  let pauses = 0;
  const asked = { salt: 'salt.123', challenge: digest('salt.1231500'), maxNumber: 5000 };
  assert.equal(await solve(asked, { slice: -1, pause: async () => void pauses++ }), 1500);
  assert.ok(pauses > 20, 'the page gets its turns');
  assert.equal(await solve({ ...asked, maxNumber: 100 }), undefined);
});

test('a record is kept where the browser allows it', () => {
  for (const [places, onlyFor] of [[{}, undefined], [{ local: false }, 'tab'], [{ local: false, session: false }, 'page']]) {
    const window = browser(places);
    const store = new Store('shop', window);
    assert.equal(store.visitor, undefined);
    store.visitor = { session: 's', token: 't' };
    assert.deepEqual(store.visitor, { session: 's', token: 't' });
    assert.equal(store.onlyFor, onlyFor);
    assert.equal(new Store('shop', window).visitor?.token, onlyFor === 'page' ? undefined : 't');
    store.visitor = undefined;
    assert.equal(store.visitor, undefined);
  }
  const window = browser();
  window.localStorage.setItem('parley.visitor.shop', '{"session":1}');
  assert.equal(new Store('shop', window).visitor, undefined, 'what is not ours is nothing');
  window.localStorage.setItem('parley.visitor.shop', 'nonsense');
  assert.equal(new Store('shop', window).visitor, undefined);
});

test('drafts come back, of many the newest', () => {
  const window = browser();
  const drafts = new Drafts(new Store('shop', window));
  for (let n = 0; n < 30; n++) drafts.set(`t${n}`, 'x');
  drafts.keep([{ id: '1', thread: 't', text: 'words', createdAt: 'now', status: 'sending' }, { id: '2', thread: 't', text: 'with a file', createdAt: 'now', files: [{}] }]);
  const again = new Drafts(new Store('shop', window));
  assert.equal(again.get('t29'), 'x');
  assert.equal(again.get('t0'), '');
  assert.deepEqual(again.unsent.map(({ id }) => id), ['1']);
  again.clear();
  assert.equal(window.localStorage.getItem('parley.draft.shop'), null);
});

test('the stream lasts while somebody looks, and half an hour more', () => {
  const minutes = (count) => count * 60_000;
  assert.equal(wanted({ hasSession: false, isVisible: true, unseenFor: 0 }), 'nothing');
  assert.equal(wanted({ hasSession: true, isVisible: true, unseenFor: 0 }), 'stream');
  assert.equal(wanted({ hasSession: true, isVisible: false, unseenFor: minutes(29) }), 'stream');
  assert.equal(wanted({ hasSession: true, isVisible: false, unseenFor: minutes(31) }), 'nothing');
  assert.equal(wanted({ hasSession: true, isVisible: true, unseenFor: minutes(31) }), 'poll', 'the page is looked at, the frame is closed');
});

test('the feed goes on where it was', async () => {
  const opened = [];
  const told = [];
  async function* stream({ after, signal }) {
    opened.push(after);
    yield { id: 'e-2', type: 'x', data: {} };
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
  let now = 0;
  const feed = new Feed({ stream, poll: () => told.push('poll'), event: ({ type }) => told.push(type), state() {}, ended() {}, now: () => now });
  feed.look({ isOpen: true, isVisible: true });
  assert.deepEqual(opened, [], 'no session, no stream');
  feed.follow('e-1');
  await turn();
  feed.look({ isOpen: false, isVisible: true });
  now = 31 * 60_000;
  feed.look({ isOpen: false, isVisible: true });
  feed.look({ isOpen: true, isVisible: true });
  await turn();
  assert.deepEqual(opened, ['e-1', 'e-2']);
  assert.deepEqual(told, ['x', 'poll', 'x']);
  feed.follow();
});

test('what becomes of a message depends on why it failed', () => {
  const table = [
    [{ status: 0, temporary: true }, 'again'], [{ status: 503, temporary: true }, 'again'], [{ status: 429, temporary: true }, 'back'],
    [{ status: 401 }, 'back'], [{ status: 403, code: 'consentRequired' }, 'back'], [{ status: 409, code: 'illegalThreadState' }, 'back'],
    [{ status: 422 }, 'fail'], [{ status: 413 }, 'fail'],
  ];
  for (const [error, expected] of table) assert.equal(verdict(error, false), expected, JSON.stringify(error));
  assert.equal(verdict({ status: 429, temporary: true }, true), 'fail', 'files do not go back into a field');
});

test('messages are sent in the order of writing, once each', async () => {
  const sent = [];
  let fault = { status: 0, temporary: true };
  const outbox = new Outbox(async ({ id, text }) => {
    if (fault) throw fault;
    sent.push(text);
    return { id };
  }, async () => {});
  const back = [];
  outbox.addEventListener('back', ({ detail }) => back.push(detail.text));
  outbox.add('t', { text: 'one' });
  outbox.add('t', { text: 'two' });
  await turn();
  assert.deepEqual(outbox.items.map(({ status }) => status), ['failed', 'failed'], 'one holds up the other');
  const [{ id }] = outbox.items;
  fault = undefined;
  outbox.retryAll();
  await turn();
  assert.deepEqual([sent, outbox.items], [['one', 'two'], []]);
  fault = { status: 429 };
  outbox.add('t', { text: 'three' });
  outbox.add('t', { text: 'four' });
  await turn();
  assert.deepEqual(back, ['three\nfour']);
  assert.deepEqual(outbox.items, []);
  outbox.restore([{ id, thread: 't', text: 'again', createdAt: 'then' }]);
  outbox.settle(id);
  assert.deepEqual(outbox.items, [], 'it had arrived');
});

/** A gateway's door, and a tab beside it. */
function tab(window, door, more = {}) {
  const ended = [];
  const open = (record) => ({ record, end: async () => void ended.push(record.session), identify: more.identify });
  const tabs = more.tabs ?? { postMessage() {} };
  const store = new Store('shop', window);
  const parts = { channel: 'shop', store, proof: false, consent: () => undefined, visit: () => ({}), working() {}, door, open, tabs, locks: undefined, ...more.parts };
  return { visitor: new Visitor(parts), store, ended, tabs };
}

const made = (session, more = {}) => ({ session, token: `token-${session}`, customer: { id: 'visitor-1' }, verified: false, ...more });

test('of two that begin at once without locks the later one gives way', async () => {
  const window = browser();
  const answers = [];
  const door = { begin: () => new Promise((resolve) => answers.push(resolve)) };
  const [a, b] = [tab(window, door), tab(window, door)];
  const both = [a.visitor.begin(), b.visitor.begin(), b.visitor.begin()];
  await turn();
  assert.equal(answers.length, 2);
  answers[0](made('one'));
  await both[0];
  answers[1](made('two'));
  await Promise.all(both);
  assert.deepEqual([a.visitor.record.session, b.visitor.record.session, b.ended], ['one', 'one', ['two']]);
  assert.equal(a.store.visitor.session, 'one');
});

test('a lock that the browser refuses does not stop anybody', async () => {
  const locks = { request: () => Promise.reject(new Error('SecurityError')) };
  const { visitor } = tab(browser(), { begin: async () => made('one') }, { parts: { locks } });
  await visitor.begin();
  assert.equal(visitor.record.session, 'one');
});

test('another tab tells of its session, and of its end', () => {
  const { visitor, tabs } = tab(browser(), {});
  const told = [];
  visitor.addEventListener('change', ({ detail }) => told.push(detail.record?.session));
  tabs.onmessage({ data: { record: { session: 's', token: 't' } } });
  tabs.onmessage({ data: { record: { session: 's', token: 't' } } });
  tabs.onmessage({ data: { record: null } });
  assert.deepEqual(told, ['s', undefined]);
});

test('the work that the gateway asks for is done', async () => {
  const bodies = [];
  const challenge = { salt: 's.1', challenge: digest('s.17'), maxNumber: 50, signature: 'sig' };
  const door = {
    begin: async (body) => {
      bodies.push(body);
      if (!body.proof) throw Object.assign(new Error(), { status: 403, code: 'proofRequired', problem: { challenge } });
      return made('one');
    },
  };
  await tab(browser(), door).visitor.begin();
  assert.deepEqual(bodies[1].proof, { salt: 's.1', challenge: challenge.challenge, signature: 'sig', number: 7 });
});

const jwt = (claims) => ['{}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

test('a JWT names its subject, and nonsense nobody', () => {
  assert.equal(subjectOf(jwt({ sub: 'änn' })), 'änn');
  for (const text of ['', 'a', 'a.b.c', jwt({ sub: 7 }), jwt({}), jwt(null)]) assert.equal(subjectOf(text), undefined, text);
});

test('a JWT of the same person goes on, another begins anew and ends the old session', async () => {
  const window = browser();
  let refusal;
  const bodies = [];
  const identify = async () => {
    if (refusal) throw refusal;
    return { verified: true };
  };
  const { visitor, ended } = tab(window, { begin: async (body) => (bodies.push(body), made(`s${bodies.length}`, { verified: true })) }, { identify });
  const others = [];
  visitor.addEventListener('change', ({ detail }) => others.push(detail.isOther));
  await visitor.identify(jwt({ sub: 'ann' }), false);
  assert.equal(bodies.length, 0, 'nothing begins while the frame is closed');
  await visitor.identify(jwt({ sub: 'ann' }), true);
  await visitor.identify(jwt({ sub: 'ann' }), true);
  assert.deepEqual([bodies.length, visitor.record.sub], [1, 'ann']);
  refusal = Object.assign(new Error(), { status: 409, code: 'otherIdentity' });
  await visitor.identify(jwt({ sub: 'bo' }), true);
  assert.deepEqual([visitor.record.session, visitor.record.sub, ended], ['s2', 'bo', ['s1']]);
  assert.deepEqual(others, [false, false, true]);
  refusal = Object.assign(new Error(), { status: 401, code: 'invalidIdentity' });
  await assert.rejects(visitor.identify(jwt({ sub: 'bo' }), true), { code: 'invalidIdentity' });
  assert.equal(visitor.record.sub, 'bo', 'a bad one changes nothing');
});

test('who signs in goes on with another session, and nobody takes the former one for lost', async () => {
  const window = browser();
  let answer;
  const identify = () => new Promise((resolve) => (answer = resolve));
  const { visitor, store, ended } = tab(window, { begin: async () => made('s1') }, { identify });
  const beside = tab(window, { begin: async () => assert.fail('another one begins') });
  await visitor.begin();
  assert.equal(await visitor.hasMovedOn('s1'), false, 'nothing has happened');
  assert.equal(await beside.visitor.hasMovedOn(undefined), true, 'the other tab has begun');
  const told = [];
  visitor.addEventListener('change', ({ detail: { isSame, isOther } }) => told.push({ isSame, isOther }));
  const identified = visitor.identify(jwt({ sub: 'ann' }), true);
  await turn();
  const movedOn = visitor.hasMovedOn('s1'); // its stream has ended, or an event says that the conversation is gone
  answer({ verified: true, session: 's2', token: 'token-s2', customer: { id: 'ann', formerIds: ['visitor-1'] }, joined: 1 });
  await identified;
  assert.equal(await movedOn, true);
  assert.deepEqual([store.visitor.session, store.visitor.token, store.visitor.sub, visitor.customer], ['s2', 'token-s2', 'ann', 'ann']);
  assert.deepEqual([told, ended], [[{ isSame: false, isOther: false }], []]);
  assert.equal(await beside.visitor.hasMovedOn('s1'), true);
  assert.equal(beside.visitor.record.session, 's2');
});
