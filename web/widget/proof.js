/**
 * A small proof of work for visitors: which `number` makes SHA-256(salt + number) the challenge. The digest is written out
 * here, because `crypto.subtle` needs a turn of the event loop for each, and is not there without TLS.
 */

/** The first 64 primes' cube roots, as SHA-256 takes them. */
const K = constants(3, 64);
const START = constants(2, 8);

function constants(root, count) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    if (found.primes?.some((prime) => number % prime === 0)) continue;
    (found.primes ??= []).push(number);
    found.push(Math.floor((number ** (1 / root) % 1) * 2 ** 32) | 0);
  }
  return Int32Array.from(found);
}

const words = new Int32Array(64);

/** SHA-256 of a text, in hexadecimal. @param {string} text */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const blocks = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(blocks.length - 4, bytes.length * 8);
  const hash = Int32Array.from(START);
  for (let at = 0; at < blocks.length; at += 64) compress(hash, view, at);
  return [...hash].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(hash, view, at) {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const low = (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) | 0;
    const high = (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)) | 0;
    words[i] = (words[i - 16] + low + words[i - 7] + high) | 0;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i++) {
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i] + word) | 0));
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The number that a challenge asks for; undefined: there is none up to `maxNumber`. Works in small pieces, so that the page
 *  stays responsive.
 *  @param {{salt: string, challenge: string, maxNumber: number}} asked
 *  @param {{slice?: number, pause?: () => Promise<void>, now?: () => number}} [how]  `slice`: ms of one piece
 *  @returns {Promise<number|undefined>} */
export async function solve({ salt, challenge, maxNumber }, { slice = 12, pause = rest, now = () => performance.now() } = {}) {
  const wanted = challenge.toLowerCase();
  let end = now() + slice;
  for (let number = 0; number <= maxNumber; number++) {
    if (sha256(salt + number) === wanted) return number;
    if (number % 64 === 63 && now() > end) {
      await pause();
      end = now() + slice;
    }
  }
  return undefined;
}

const rest = () => new Promise((resolve) => setTimeout(resolve));
