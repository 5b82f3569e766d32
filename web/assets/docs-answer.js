/** Shows what the gateway answers: status, time, headers, and the body as it comes. */
import { el } from './dom.js';
import { measured } from './format.js';
import { texts } from './texts.js';

const KEPT = 100_000; // characters of a stream; older ones go

/** Sends a request and shows its answer until it ends, or `request.signal` aborts.
 *  @param {HTMLElement} outcome @param {string} address @param {RequestInit} request */
export async function showAnswer(outcome, address, request) {
  outcome.replaceChildren(el('p', { role: 'status' }, texts.docs.trying));
  const start = performance.now();
  try {
    const answer = await fetch(address, request);
    const milliseconds = Math.round(performance.now() - start);
    const shown = el('pre', { tabindex: '0', data: { test: 'try-answer' } });
    outcome.replaceChildren(
      el('p', { role: 'status' }, el('strong', { data: { test: 'try-status' } }, texts.docs.answer({ status: String(answer.status), reason: answer.statusText, duration: measured(milliseconds, 'millisecond') }))),
      el(
        'details',
        {},
        el('summary', {}, texts.docs.headers),
        el('pre', { tabindex: '0', data: { test: 'try-headers' } }, [...answer.headers].map((pair) => pair.join(': ')).join('\n')),
      ),
      shown,
    );
    await showBody(shown, answer);
  } catch (error) {
    outcome.append(el('p', { role: 'status' }, request.signal.aborted ? texts.docs.stopped : texts.docs.unreachable));
    if (!request.signal.aborted && !(error instanceof TypeError)) throw error;
  }
}

async function showBody(shown, answer) {
  const type = answer.headers.get('Content-Type') ?? '';
  if (/event-stream|jsonl|x-ndjson/.test(type)) return showStream(shown, answer);
  if (!/json|^text\/|javascript|xml|openmetrics/.test(type)) {
    const { byteLength } = await answer.arrayBuffer();
    shown.textContent = byteLength ? texts.docs.bytes({ count: byteLength }) : texts.docs.noBody;
    return;
  }
  const text = await answer.text();
  shown.textContent = /json/.test(type) ? pretty(text) : text || texts.docs.noBody;
}

async function showStream(shown, answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const isAtEnd = shown.scrollTop + shown.clientHeight >= shown.scrollHeight - 4;
    shown.textContent = (shown.textContent + piece.value).slice(-KEPT);
    if (isAtEnd) shown.scrollTop = shown.scrollHeight;
  }
}

/** JSON for readers. A token is never shown: the page may be on a screen that others see. */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), (name, value) => (name === 'token' ? texts.docs.hidden : value), 2);
  } catch {
    return text;
  }
}
