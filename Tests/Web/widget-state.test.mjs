import assert from 'node:assert/strict';
import test from 'node:test';
import { start, step } from '../../web/widget/frame-state.js';

const rules = (more) => ({
  mode: 'singlethread', isPublic: true, hasSurvey: false, needsConsent: false, needsIdentity: false, isOnline: true, rates: false, ...more,
});
const begin = (more, session = false) => start(rules(more), session)[0];
const after = (state, ...inputs) => inputs.reduce((now, input) => step(now, typeof input === 'string' ? { type: input } : input)[0], state);
const place = ({ name, reason, thread }) => [name, reason, thread].filter(Boolean).join(' ');
const pick = (thread, closed = false) => ({ type: 'pick', thread, closed });

test('one comes in where the channel begins', () => {
  const table = [
    [{}, 'chat'],
    [{ mode: 'multithread' }, 'idle'],
    [{ hasSurvey: true }, 'survey'],
    [{ mode: 'liveChat', isOnline: false }, 'away'],
    [{ mode: 'multithread', isOnline: false }, 'idle'],
    [{ needsConsent: true, needsIdentity: true, hasSurvey: true }, 'consent'],
    [{ needsIdentity: true }, 'identityNeeded start'],
    [{ isPublic: false }, 'blocked problems.gone'],
  ];
  for (const [more, expected] of table) assert.equal(place(begin(more)), expected, JSON.stringify(more));
  assert.equal(place(begin({ isPublic: false, mode: 'multithread' }, true)), 'idle');
  assert.equal(place(begin({ needsIdentity: true }, true)), 'chat', 'a session says who it is');
});

test('nothing is written before the consent, and who declines may think again', () => {
  const asked = begin({ needsConsent: true, mode: 'multithread' });
  assert.equal(place(after(asked, 'compose')), 'consent');
  assert.equal(place(after(asked, pick('a'))), 'consent');
  const declined = after(asked, 'decline');
  assert.equal(place(declined), 'blocked consent.declined');
  assert.equal(place(after(declined, 'reconsider')), 'consent');
  assert.equal(place(after(declined, 'reconsider', 'agree')), 'idle');
});

test('a first message makes its conversation, and its end is told', () => {
  const made = after(begin(), 'joined', { type: 'made', thread: 'a' });
  assert.equal(place(made), 'chat a');
  assert.equal(place(after(made, { type: 'made', thread: 'b' })), 'chat a', 'only a new one becomes it');
  const closed = after(made, { type: 'thread', thread: 'a', closed: true });
  assert.equal(place(closed), 'closed a');
  assert.equal(place(after(made, { type: 'thread', thread: 'b', closed: true })), 'chat a', 'another one ended');
  assert.equal(place(after(closed, { type: 'thread', thread: 'a', closed: false })), 'chat a', 'it was opened again');
  assert.equal(place(after(closed, 'compose')), 'chat');
});

test('the rating is asked once for each conversation', () => {
  const asked = after(begin({ rates: true }), pick('a', true));
  assert.equal(place(asked), 'rating a');
  const rated = after(asked, 'rated');
  assert.equal(place(rated), 'closed a');
  assert.equal(place(after(rated, 'compose', pick('a', true))), 'closed a');
  assert.equal(place(after(rated, pick('b', true))), 'rating b');
});

test('a session that ended begins anew, one of a person waits for the person', () => {
  const state = after(begin({ mode: 'multithread' }, true), pick('a'));
  const [next, effects] = step(state, { type: 'unauthorized', code: 'unauthorized' });
  assert.equal(place(next), 'idle');
  assert.equal(next.session, false);
  assert.deepEqual(effects, [{ do: 'forget' }, { do: 'say', key: 'problems.gone' }]);
  const [waits, asks] = step(state, { type: 'unauthorized', code: 'identityExpired' });
  assert.equal(place(waits), 'identityNeeded expired a');
  assert.deepEqual(asks, [{ do: 'needIdentity', reason: 'expired' }]);
  assert.equal(place(after(waits, 'identified')), 'chat a', 'the conversation is there again');
  const [gone] = step(begin({ isPublic: false }, true), { type: 'unauthorized', code: 'unauthorized' });
  assert.equal(place(gone), 'blocked problems.gone');
});

test('refusals lead to what is missing', () => {
  const state = begin();
  const table = { consentRequired: 'consent', identityRequired: 'identityNeeded start', invalidIdentity: 'identityNeeded invalid', channelNotPublic: 'blocked problems.gone', tooManyVisitors: 'chat' };
  for (const [code, expected] of Object.entries(table)) assert.equal(place(after(state, { type: 'refused', code })), expected, code);
  assert.equal(place(after(begin({ mode: 'liveChat' }), { type: 'refused', code: 'notConnected' })), 'away');
  assert.equal(place(after(state, { type: 'refused', code: 'notConnected' })), 'chat');
});

test('a live chat that opens leaves the notice, and one that goes on stays', () => {
  const away = begin({ mode: 'liveChat', isOnline: false });
  assert.equal(place(after(away, { type: 'rules', rules: { isOnline: true } })), 'chat');
  const open = after(begin({ mode: 'liveChat' }, true), pick('a'));
  assert.equal(place(after(open, { type: 'rules', rules: { isOnline: false } })), 'chat a');
});

test('a conversation that was removed is left, and unknown inputs change nothing', () => {
  const state = after(begin({ mode: 'multithread' }, true), pick('a'));
  assert.equal(place(after(state, { type: 'gone', thread: 'b' })), 'chat a');
  assert.equal(place(after(state, { type: 'gone', thread: 'a' })), 'idle');
  assert.deepEqual(step(state, { type: 'nonsense' }), [state, []]);
});
