/** Round numbers for the lines of a plot. */

const DAY = 86_400;
const TIMES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, DAY];

/** A step of 1, 2 or 5 times a power of ten that is at least as great. @param {number} least  more than 0 */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9));
  return factor * power;
}

/** Values for lines, from 0 to the first one that is not below the greatest value.
 *  @param {number} most  the greatest value @param {'count'|'time'} kind  counts are whole; times are in seconds
 *  @param {number} [lines]  how many, at most, besides 0 @returns {number[]} */
export function ticks(most, kind, lines = 4) {
  const least = Math.max(most, 1) / lines;
  const step = kind === 'time' ? (TIMES.find((one) => one >= least) ?? DAY * roundStep(least / DAY)) : Math.max(1, roundStep(least));
  const count = Math.max(1, Math.ceil(Math.max(most, 1) / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

/** Every how many places a label fits. @param {number} step  pixels from place to place @param {number} width  of a label
 *  @param {number[]} [kinds]  numbers to choose from */
export function every(step, width, kinds) {
  const least = Math.max(1, Math.ceil(width / step));
  return kinds?.find((one) => one >= least) ?? least;
}

/** About how wide a text is, in pixels of the plots' letters: and at least that. @param {string} text */
export const widthOf = (text) => [...text].reduce((sum, one) => sum + (one.codePointAt(0) > 0x2e7f ? 12.5 : 7.4), 0);

/** As much of a text as fits. @param {string} text @param {number} width */
export function fitting(text, width) {
  if (widthOf(text) <= width) return text;
  const end = '\u2026';
  let short = '';
  for (const one of text) {
    if (widthOf(short + one + end) > width) break;
    short += one;
  }
  return short.trimEnd() + end;
}
