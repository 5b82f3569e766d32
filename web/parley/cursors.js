/** Places in the gateway's log, `<epoch>-<offset>`. */

/** Compares two cursors: negative, 0 or positive; NaN when their epochs differ. @param {string} a @param {string} b */
export function compareCursors(a, b) {
  const [x, y] = [a.lastIndexOf('-'), b.lastIndexOf('-')];
  return a.slice(0, x) === b.slice(0, y) ? Number(a.slice(x + 1)) - Number(b.slice(y + 1)) : NaN;
}
