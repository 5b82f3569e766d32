/** Ids that clients make. */

/** A new id for a message or a thread (UUID). */
export function newId() {
  const { crypto } = globalThis; // Node 18 has none; without a secure context it has no randomUUID
  if (crypto?.randomUUID) return crypto.randomUUID();
  // An id names, it protects nothing: where there is no better source, Math.random will do.
  const b = crypto ? crypto.getRandomValues(new Uint8Array(16)) : Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  b[6] = (b[6] & 15) | 64;
  b[8] = (b[8] & 63) | 128;
  const hex = [...b].map((n) => n.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
