/** Pauses between attempts, and the time limit of one. */

/** The pause before the next attempt. It doubles each time, is multiplied by a random 0.5 to 1.5, and is at least what
 *  the gateway asks for. All in milliseconds.
 *  @param {number} base  before the second attempt
 *  @param {number} attempt  how many there were
 *  @param {number} most
 *  @param {import('./errors.js').ParleyError} [problem]  why the last one failed */
export function backOff(base, attempt, most, problem) {
  const wait = Math.min(most, Math.max(10, base) * 2 ** (attempt - 1)) * (0.5 + Math.random());
  return Math.max(wait, (problem?.retryAfter ?? 0) * 1000);
}

/** Resolves after so many milliseconds; rejects when `signal` aborts.
 *  @param {number} ms
 *  @param {AbortSignal} [signal]
 *  @returns {Promise<void>} */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const done = () => (signal?.removeEventListener('abort', stop), resolve());
    const timer = setTimeout(done, ms);
    const stop = () => (clearTimeout(timer), reject(signal?.reason));
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that aborts when `signal` does, and after so many milliseconds; then `late` says so. It counts until `end`.
 *  Not `AbortSignal.any`, which Node 18 and browsers before 2024 have not.
 *  @param {number} ms
 *  @param {AbortSignal} [signal] */
export function limited(ms, signal) {
  const either = new AbortController();
  const stop = () => either.abort(signal?.reason);
  const limit = { signal: either.signal, late: false, end: () => (clearTimeout(timer), signal?.removeEventListener('abort', stop)) };
  const timer = setTimeout(() => ((limit.late = true), either.abort()), ms);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  return limit;
}
