import assert from 'node:assert/strict';
import test from 'node:test';
import { EventStreamParser } from '../../web/parley.js';

const STREAM = [
  'retry: 2000\n\n',
  ': a comment\n',
  'id: e-1\nevent: ready\ndata: {"cursor":"e-1"}\n\n',
  'event: typing\ndata: {"isTyping":\ndata: true}\n\n',
  ':\n\n',
  'id: e-2\r\nevent: message.created\r\ndata: {"text":"Grüße 👋"}\r\n\r\n',
  'id: e-3\revent: a\rdata:no space\rdata\r\r',
  'id: e-4\n\n',
  'unknown: x\ndata: plain\n\n',
  'id: bad\0id\ndata: x\n\n',
  'retry: soon\ndata: unfinished\n',
].join('');

const EXPECTED = [
  { type: 'ready', id: 'e-1', data: '{"cursor":"e-1"}' },
  { type: 'typing', id: undefined, data: '{"isTyping":\ntrue}' },
  { type: 'message.created', id: 'e-2', data: '{"text":"Grüße 👋"}' },
  { type: 'a', id: 'e-3', data: 'no space\n' },
  { type: 'message', id: 'e-4', data: undefined },
  { type: 'message', id: undefined, data: 'plain' },
  { type: 'message', id: undefined, data: 'x' },
];

function parse(pieces) {
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  return { frames: pieces.flatMap((piece) => parser.push(decoder.decode(piece, { stream: true }))), retry: parser.retry };
}

const bytes = new TextEncoder().encode(STREAM);

test('parses a stream in one piece', () => {
  assert.deepEqual(parse([bytes]), { frames: EXPECTED, retry: 2000 });
});

test('parses the same, cut in two at every byte', () => {
  for (let at = 0; at <= bytes.length; at++) {
    assert.deepEqual(parse([bytes.slice(0, at), bytes.slice(at)]).frames, EXPECTED, `cut at ${at}`);
  }
});

test('parses the same, byte by byte', () => {
  assert.deepEqual(parse(Array.from(bytes, (_, i) => bytes.slice(i, i + 1))).frames, EXPECTED);
});

test('a byte order mark is no part of the first field', () => {
  assert.deepEqual(parse([new TextEncoder().encode('\uFEFFdata: x\n\n')]).frames, [{ type: 'message', id: undefined, data: 'x' }]);
});
