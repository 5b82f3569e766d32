/**
 * What a refused or failed request becomes.
 *
 * @typedef {{pointer?: string, code?: string, detail?: string}} Mistake
 * @typedef {{code: string, status: number, title?: string, detail?: string, errors?: Mistake[], instance?: string,
 *            retryAfter?: number}} Problem
 */
import { decoded } from './paths.js';

/** A refused or failed request, with the members of the gateway's problem (RFC 9457); status 0: there was no answer.
 *  Its message names each member that is wrong. */
export class ParleyError extends Error {
  /**
   * @param {Problem} problem
   * @param {unknown} [cause]
   */
  constructor(problem, cause) {
    super(text(problem), cause === undefined ? undefined : { cause });
    this.name = 'ParleyError';
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.retryAfter = problem.retryAfter;
  }

  /** Whether the same request may succeed later without anybody changing it. */
  get temporary() {
    if (this.code === 'idempotencyKeyInFlight') return true; // an earlier try of it still runs
    return this.status === 0 || [408, 425, 429].includes(this.status) || this.status >= 500;
  }
}

/** For people: with errors it names each member that is wrong.
 *  @param {Problem} problem */
function text({ code, title, detail, errors = [] }) {
  const places = errors.map(({ pointer, detail, code }) => [pointer, detail ?? code].filter(Boolean).join(': '));
  return places.length ? `${title ?? code} (${places.join('; ')})` : (detail ?? title ?? code);
}

/** The answer's problem as an error, also when something between us and the gateway answered.
 *  @param {Response} response */
export async function refusal(response) {
  const text = await response.text();
  const wait = Number(response.headers.get('retry-after')) || undefined;
  const detail = `${response.status} ${response.statusText}`.trim();
  return problemOf(decoded(text), response.status, wait, detail);
}

/** A problem as an error.
 *  @param {unknown} problem  what was answered
 *  @param {number} status
 *  @param {number} [retryAfter]  in seconds, unless the problem says it itself */
export function problemOf(problem, status, retryAfter, detail = String(status)) {
  const known = problem && typeof problem === 'object' ? problem : { detail };
  return new ParleyError({ code: 'unknown', retryAfter, ...known, status });
}

/** The error of a request that got no answer.
 *  @param {unknown} [cause] */
export function unreachable(cause, timedOut = false) {
  const code = timedOut ? 'timeout' : 'unreachable';
  return new ParleyError({ code, status: 0, detail: 'The gateway did not answer.' }, cause);
}

/** The value of an answer. Something between us and the gateway may have answered with a page instead.
 *  @param {string} text */
export function answered(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError({ code: 'notJSON', status: 0, detail: 'The answer is not JSON.' }, cause);
  }
}
