/** Ids that clients make, and places in the gateway's log. */

/** A new id for a message or a thread: a UUID of version 7 (RFC 9562), which begins with the time. Ids of about the same
 *  time stand beside each other in the gateway's index. */
export function newId() {
  const { crypto } = globalThis; // Node 18 has none
  const length = 16;
  // An id protects nothing, so Math.random is enough where there is no better source.
  const b = crypto ? crypto.getRandomValues(new Uint8Array(length)) : Uint8Array.from({ length }, () => Math.random() * 256);
  let time = Date.now();
  for (let place = 5; place >= 0; place -= 1) {
    b[place] = time % 256;
    time = Math.floor(time / 256);
  }
  b[6] = (b[6] & 15) | 112;
  b[8] = (b[8] & 63) | 128;
  const hex = [...b].map((n) => n.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Compares two cursors: negative, 0 or positive; NaN when their epochs differ.
 *  @param {string} a
 *  @param {string} b */
export function compareCursors(a, b) {
  const [x, y] = [a.lastIndexOf('-'), b.lastIndexOf('-')];
  return a.slice(0, x) === b.slice(0, y) ? Number(a.slice(x + 1)) - Number(b.slice(y + 1)) : NaN;
}
