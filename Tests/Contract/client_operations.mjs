// Calls verbs of web/parley.js and says what each asks of the gateway: see test_client_types.py. Of stdin a list of
// {handle, verb, arguments}, to stdout a list of the requests that each has made: {method, path, query, body}.
import { readFileSync } from 'node:fs';
import { Parley } from '../../web/parley.js';

const baseURL = 'http://gateway.test';
const OWNER = { channel: 'channel', customer: 'customer' };

/** What the gateway answers: an empty page, that is also the snapshot of a collection; streams it refuses. */
function answer({ Accept } = {}) {
  if (Accept === 'text/event-stream') return new Response('{"code":"enough"}', { status: 403 });
  return new Response('{"items":[],"version":1}', { status: 200 });
}

const asked = [];
const fetch = async (url, { method = 'GET', headers, body }) => {
  asked.push(request(method, url, body));
  return answer(headers);
};

function request(method, url, body) {
  const { pathname, searchParams } = new URL(url);
  const sent = typeof body === 'string' ? JSON.parse(body) : undefined;
  return { method, path: pathname, query: [...new Set(searchParams.keys())], body: sent };
}

const parley = new Parley({ baseURL, fetch });
const handles = {
  parley,
  session: parley.session('session'),
  desk: parley.desk,
  thread: parley.session('session').thread('thread'),
  deskCustomer: parley.desk.customer('customer', { channel: 'channel', agent: 'agent' }),
  deskThread: parley.desk.thread('thread', { owner: OWNER, agent: 'agent' }),
};

const value = (argument) => (argument?.$file ? new Blob(['x']) : argument);

const done = [];
for (const { handle, verb, arguments: list } of JSON.parse(readFileSync(0, 'utf8'))) {
  asked.length = 0;
  const target = new Function(...Object.keys(handles), `return ${handle}`)(...Object.values(handles));
  const result = target[verb](...list.map(value));
  if (typeof result === 'string') asked.push(request('GET', result)); // where a file is
  else await (result.next?.() ?? result).then((first) => first?.value?.list && result.next()).catch(() => {});
  done.push([...asked]);
}
console.log(JSON.stringify(done));
