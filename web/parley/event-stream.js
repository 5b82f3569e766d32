/**
 * An event stream that resumes by itself, and notices a connection that has died silently.
 *
 * @typedef {import('../parley.js').ParleyEvent} ParleyEvent
 * @typedef {(cursor: string|undefined, signal: AbortSignal) => Promise<Response>} Open
 * @typedef {NonNullable<import('../parley.js').StreamOptions['onState']>} OnState
 */
import { ParleyError, refusal, unreachable } from './errors.js';
import { EventStreamParser } from './event-stream-parser.js';
import { compareCursors } from './identifiers.js';
import { decoded } from './paths.js';
import { backOff, pause } from './waiting.js';

/**
 * The events of a stream. It resumes after a drop from the last cursor, and ends when `signal` aborts. It begins at once,
 * not with the first event that is taken; `opened` resolves when nothing is missed any more.
 *
 * @param {Open} open  begins one connection
 * @param {import('../parley.js').StreamOptions} options  as of `Parley.events`
 * @returns {import('../parley.js').EventStream}  whose `next` throws a ParleyError when the gateway refuses it for good
 */
export function eventStream(open, options) {
  const end = new AbortController();
  const { signal } = options;
  signal?.addEventListener('abort', () => end.abort(signal.reason), { signal: end.signal });
  if (signal?.aborted) end.abort(signal.reason);
  const events = following(open, options, end);
  const [next, leave] = [events.next.bind(events), events.return.bind(events)];
  const first = next();
  const opened = first.then(() => {});
  opened.catch(() => {}); // whoever takes the first event is told
  let taken = false;
  return Object.assign(events, {
    opened,
    next: () => (taken ? next() : ((taken = true), first)),
    // Also while a reader waits for the next event, which a generator alone would wait for too.
    return: () => (end.abort(), (taken = true), leave()),
  });
}

/**
 * @param {Open} open
 * @param {import('../parley.js').StreamOptions} options
 * @param {AbortController} end  ends it when it aborts, and aborts when it ends
 * @returns {AsyncGenerator<ParleyEvent, void, void>}
 */
async function* following(open, { after, onState = () => {}, watchdog = 40_000, maxDelay = 15_000 }, end) {
  const place = { cursor: after, retry: 2000 };
  const { signal } = end;
  try {
    for (let failures = 0; !signal.aborted; ) {
      let problem;
      onState('connecting', {});
      try {
        for await (const event of connection(open, place, watchdog, signal, onState)) {
          failures = 0;
          yield event;
        }
      } catch (error) {
        if (signal.aborted) return;
        problem = error instanceof ParleyError ? error : unreachable(error);
        if (!problem.temporary) throw problem;
      }
      if (signal.aborted) return;
      const delay = backOff(place.retry, ++failures, maxDelay, problem);
      onState('waiting', { error: problem, delay });
      await pause(delay, signal).catch(() => {});
    }
  } finally {
    end.abort();
  }
}

/** One HTTP answer of a stream. Moves `place.cursor`, so that the next connection resumes there.
 *  @param {Open} open
 *  @param {{cursor?: string, retry: number}} place
 *  @param {number} watchdog
 *  @param {AbortSignal} signal
 *  @param {OnState} onState
 *  @returns {AsyncGenerator<ParleyEvent, void, void>} */
async function* connection(open, place, watchdog, signal, onState) {
  const abort = new AbortController();
  const stop = () => abort.abort(signal.reason);
  signal.addEventListener('abort', stop);
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let alarm;
  /**
   * Armed only while we wait for the gateway: a consumer that takes its time is not a dead connection.
   * @template T
   * @param {Promise<T>} promise
   */
  const watched = async (promise) => {
    // The alarm itself ends the wait: not every fetch (Node 18's) is sure to pass an abort on to who waits.
    /** @type {Promise<never>} */
    const silence = new Promise((_, reject) => {
      alarm = setTimeout(() => {
        const error = new Error(`nothing came for ${watchdog} ms`);
        abort.abort(error);
        reject(error);
      }, watchdog);
    });
    try {
      return await Promise.race([promise, silence]);
    } finally {
      clearTimeout(alarm);
    }
  };
  try {
    const response = await watched(open(place.cursor, abort.signal));
    if (!response.ok) throw await watched(refusal(response));
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!isStream || !response.body) throw new Error('not an event stream');
    onState('live', {});
    const reader = response.body.getReader(); // `for await` over a body is not in every browser yet
    const decoder = new TextDecoder();
    const parser = new EventStreamParser();
    for (;;) {
      const { done, value } = await watched(reader.read());
      if (done) return;
      for (const frame of parser.push(decoder.decode(value, { stream: true }))) {
        place.retry = parser.retry ?? place.retry;
        if (isNews(frame, place.cursor)) {
          place.cursor = frame.id ?? place.cursor;
          if (frame.data !== undefined) yield { type: frame.type, id: frame.id, data: decoded(frame.data) };
        }
      }
      place.retry = parser.retry ?? place.retry;
    }
  } finally {
    clearTimeout(alarm);
    signal.removeEventListener('abort', stop);
    abort.abort(); // the consumer may have left the loop
  }
}

/** Whether a frame is to be delivered: `reset` always is, an event without id too, others only beyond the cursor.
 *  @param {import('./event-stream-parser.js').Frame} frame
 *  @param {string|undefined} cursor */
function isNews(frame, cursor) {
  if (!frame.id || !cursor || ['reset', 'ready', 'ping'].includes(frame.type)) return true;
  return !(compareCursors(frame.id, cursor) <= 0);
}
