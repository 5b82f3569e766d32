/** How the figures of a report are written: durations, and what its rows are about. */
import { counted, measured } from './format.js';
import { locale, texts } from './texts.js';

const words = texts.reports;
const UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]];
const NARROW = { unitDisplay: 'narrow' };
/** What is told in place of a number that is not there. */
export const NONE = '–';

const days = new Map();

/** A length of time in its two greatest units: "3m 20s", "2d 4h". It does not break. @param {number} seconds */
export function lasting(seconds) {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first < 0) return measured(0, 'second', NARROW);
  let rest = Math.round(seconds);
  const found = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const whole = Math.floor(rest / size);
    if (whole) found.push(measured(whole, unit, NARROW));
    rest -= whole * size;
  }
  return found.join('\u00a0').replaceAll(' ', '\u00a0');
}

/** A number or a length of time, or a dash. @param {number} [value] @param {'count'|'time'} kind */
export const shown = (value, kind) => (value === undefined ? NONE : kind === 'time' ? lasting(value) : counted(value));

const inDays = (how) => {
  const key = JSON.stringify(how);
  if (!days.has(key)) days.set(key, new Intl.DateTimeFormat(locale, { ...how, timeZone: 'UTC' }));
  return days.get(key);
};

/** What a row is about, for people. `short` stands below a plot. @param {'day'|'hour'|'agent'|'channel'|'tag'} by
 *  @param {string} key @param {Record<string, Map<string, string>>} names  of agents, channels and tags, by their ids
 *  @returns {{short: string, long: string}} */
export function label(by, key, names, now = new Date()) {
  if (by === 'day') {
    const day = new Date(`${key}T00:00Z`);
    return {
      short: inDays({ day: 'numeric', month: 'short' }).format(day),
      long: inDays({ weekday: 'short', day: 'numeric', month: 'short', ...(day.getUTCFullYear() !== now.getFullYear() && { year: 'numeric' }) }).format(day),
    };
  }
  if (by === 'hour') {
    const hour = new Date(Date.UTC(2026, 0, 1, Number(key)));
    const at = inDays({ hour: 'numeric', minute: '2-digit' });
    return { short: inDays({ hour: 'numeric' }).format(hour), long: at.formatRange(hour, new Date(hour.getTime() + 3_600_000)) };
  }
  const known = key === '' ? { agent: words.nobody, tag: words.untagged }[by] : names[by]?.get(key);
  const name = known ?? (by === 'tag' ? words.removedTag : key);
  return { short: name, long: name };
}
