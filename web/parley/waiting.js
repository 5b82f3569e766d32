/** Pauses between attempts. */

/** The pause before the next attempt. It doubles each time, is multiplied by a random 0.5 to 1.5, and is at least what
 *  the gateway asks for. */
export function backOff(base, attempt, most, problem) {
  const wait = Math.min(most, Math.max(10, base) * 2 ** (attempt - 1)) * (0.5 + Math.random());
  return Math.max(wait, (problem?.retryAfter ?? 0) * 1000);
}

/** Resolves after so many milliseconds; rejects when `signal` aborts. */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const done = () => (signal?.removeEventListener('abort', stop), resolve());
    const timer = setTimeout(done, ms);
    const stop = () => (clearTimeout(timer), reject(signal.reason));
    signal?.addEventListener('abort', stop, { once: true });
  });
}
