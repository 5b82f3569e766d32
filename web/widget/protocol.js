/** What the frame takes from the page around it: which greeting, which messages. Nothing here touches the page. */

export const VERSION = 1;

const LARGEST = 16 * 1024; // characters of a message as JSON
const MOST = 50; // messages in a second

/** Whether an origin is one of a channel's. `https://*.shop.example` covers all depths below, and not `shop.example`.
 *  @param {string} origin @param {string[]} patterns */
export function isAllowed(origin, patterns) {
  return patterns.some((pattern) => {
    const at = pattern.indexOf('://*.');
    if (at < 0) return pattern === origin;
    const [scheme, rest] = [pattern.slice(0, at + 3), pattern.slice(at + 4)]; // rest: `.shop.example`
    const host = origin.slice(scheme.length);
    return origin.startsWith(scheme) && host.endsWith(rest) && host.length > rest.length && !/[/@]/.test(host);
  });
}

/** What a message to the window is: a greeting of the page around the frame, one of another version, or nothing of ours.
 *  @param {{source: unknown, origin: string, data: any, ports?: readonly unknown[]}} event
 *  @param {{parent: unknown, own: string, origins: string[]}} frame  `own`: the frame's origin
 *  @returns {'hello'|'version'|undefined} */
export function greeting({ source, origin, data, ports = [] }, { parent, own, origins }) {
  if (source !== parent || !(origin === own || isAllowed(origin, origins))) return undefined;
  if (!isObject(data) || data.type !== 'hello' || data.parley === undefined || ports.length !== 1) return undefined;
  return data.parley === VERSION ? 'hello' : 'version';
}

/** What each message from the host has; others are ignored, and so are further members. */
const SHAPES = {
  open: { thread: 'string' },
  close: {},
  identify: { jwt: 'string' },
  shutdown: { id: 'any' },
  page: { url: 'string', title: 'string' },
  prefill: { text: 'string', fields: 'object' },
  visible: { visible: 'boolean' },
  lang: { lang: 'string' },
};
const NEEDED = { identify: 'jwt', visible: 'visible', lang: 'lang' };

/** A message with the members that are known, of the right kinds; undefined: to be ignored.
 *  @param {unknown} data @returns {{type: string, [member: string]: any}|undefined} */
export function understood(data) {
  if (!isObject(data) || typeof data.type !== 'string' || !Object.hasOwn(SHAPES, data.type)) return undefined;
  const message = { type: data.type };
  for (const [name, kind] of Object.entries(SHAPES[data.type])) {
    const value = data[name];
    const fits = kind === 'any' ? ['string', 'number'].includes(typeof value) : kind === 'object' ? isObject(value) : typeof value === kind;
    if (fits) message[name] = value;
  }
  return NEEDED[data.type] && message[NEEDED[data.type]] === undefined ? undefined : message;
}

/** Lets messages through while they are few and small. */
export class Gate {
  #now;
  #start = -Infinity; // of the second that counts now
  #count = 0;

  /** @param {() => number} now  milliseconds */
  constructor(now) {
    this.#now = now;
  }

  /** @param {unknown} data @returns {ReturnType<typeof understood>} */
  take(data) {
    const now = this.#now();
    if (now - this.#start >= 1000) [this.#start, this.#count] = [now, 0];
    if (++this.#count > MOST || sizeOf(data) > LARGEST) return undefined;
    return understood(data);
  }
}

/** Characters of a value as JSON; what has no JSON is too large for us. */
function sizeOf(data) {
  try {
    return JSON.stringify(data)?.length ?? 0;
  } catch {
    return Infinity;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
