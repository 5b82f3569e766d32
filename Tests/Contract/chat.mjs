// A chat through web/parley.js: what the library promises, against a running gateway (see test_node_client.py).
import assert from 'node:assert/strict';
import { Parley, ParleyError } from '../../web/parley.js';

const { PARLEY_URL: baseURL, PARLEY_TOKEN: token, PARLEY_CHANNEL: channel } = process.env;
const gateway = new Parley({ baseURL, token });
assert.equal((await gateway.info()).name, 'Parley');
assert.ok((await gateway.services()).items.some((service) => service.id === 'local'));

const session = await gateway.sessions.create({ channel, customer: { firstName: 'Ann' } });
assert.equal(session.state, 'ready');
// From here on as a program that was given the session alone.
const chat = new Parley({ baseURL, token: session.token }).session(session.id);

const thread = await chat.threads.create({ name: 'From Node' });
const at = chat.thread(thread.id);
const stop = new AbortController();
const heard = [];
let opened;
const open = new Promise((resolve) => (opened = resolve));
const listening = (async () => {
  for await (const event of chat.events({ types: ['message.created'], signal: stop.signal })) {
    const name = event.type;
    if (name === 'ready') opened();
    if (name === 'message.created') heard.push(event.data.message.text);
    if (heard.length === 4) break;
  }
})();
const deadline = setTimeout(() => { console.error('the stream is late', heard); process.exit(1); }, 20_000);
await open;

const sent = [];
for (const text of ['one', 'two', 'three']) sent.push(await at.messages.send({ text }));
assert.equal((await gateway.desk.thread(thread.id).get()).deskUnreadCount, 3);
await gateway.desk.thread(thread.id).messages.send({ text: 'Hi', agent: { id: 'eve', name: 'Eve' } });
await listening;
assert.deepEqual(heard, ['one', 'two', 'three', 'Hi']);

const page = await at.messages.list({ limit: 2 });
assert.deepEqual(page.items.map((message) => message.text), ['Hi', 'three']);
const all = [];
for await (const message of at.messages.all({ limit: 2 })) all.push(message.text);
assert.deepEqual(all, ['Hi', 'three', 'two', 'one']);

assert.equal((await at.message(sent[0].id).edit({ text: 'one!' })).text, 'one!');
await at.message(sent[1].id).delete();
await assert.rejects(at.message(sent[1].id).get(), (error) => error instanceof ParleyError && error.status === 404 && error.code === 'unknownMessage');
assert.equal((await at.update({ name: 'Renamed' })).name, 'Renamed');
assert.equal((await at.archive()).state, 'closed');
await assert.rejects(at.messages.send({ text: 'late' }), (error) => error.code === 'illegalThreadState');
await gateway.session(session.id).delete();
clearTimeout(deadline);
stop.abort();
console.log('done');
