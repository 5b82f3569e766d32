/** How times and sizes are written, by the page's language. Times are ISO texts. */

/** Makes the `Intl` objects of a language once: to make them takes long. */
const formats = ((made = new Map()) => (lang) => {
  if (!made.has(lang)) made.set(lang, make(lang));
  return made.get(lang);
})();

function make(lang) {
  const date = (options) => new Intl.DateTimeFormat(lang, options);
  return {
    clock: date({ hour: 'numeric', minute: '2-digit' }),
    weekday: date({ weekday: 'long' }),
    day: date({ weekday: 'long', day: 'numeric', month: 'long' }),
    year: date({ day: 'numeric', month: 'long', year: 'numeric' }),
    short: date({ day: 'numeric', month: 'short' }),
    slot: date({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
    relative: new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }),
    list: new Intl.ListFormat(lang, { type: 'conjunction' }),
  };
}

/** @param {string} iso @param {string} lang */
export const clock = (iso, lang) => formats(lang).clock.format(new Date(iso));

/** Equal for two times of one local day. @param {string} iso */
export const dayKey = (iso) => new Date(iso).toDateString();

/** Whole local days between a time and now. */
function age(iso, now) {
  const start = (time) => new Date(time.getFullYear(), time.getMonth(), time.getDate());
  return Math.round((start(now) - start(new Date(iso))) / 86_400_000);
}

/** The line above a day's messages.
 *  @param {string} iso @param {string} lang @param {{today: string, yesterday: string}} words */
export function dayLabel(iso, lang, words, now = new Date()) {
  const days = age(iso, now);
  if (days === 0) return words.today;
  return days === 1 ? words.yesterday : dayName(iso, days, lang, now);
}

/** A day that is some days away: within a week its weekday. */
function dayName(iso, days, lang, now) {
  const date = new Date(iso);
  const { weekday, day, year } = formats(lang);
  return (days > 0 && days < 7 ? weekday : date.getFullYear() === now.getFullYear() ? day : year).format(date);
}

/** The day of a time to come; undefined for today. @param {string} iso @param {string} lang */
export function comingDay(iso, lang, now = new Date()) {
  const days = -age(iso, now);
  if (days <= 0) return undefined;
  return days === 1 ? formats(lang).relative.format(1, 'day') : dayName(iso, days, lang, now);
}

/** The time of a conversation in a list: the hour of today, else the day. @param {string} iso @param {string} lang */
export function shortTime(iso, lang, now = new Date()) {
  return age(iso, now) <= 0 ? clock(iso, lang) : formats(lang).short.format(new Date(iso));
}

/** A time that may be chosen, with its end. @param {string} start @param {number} seconds @param {string} lang */
export function slot(start, seconds, lang) {
  const from = new Date(start);
  return formats(lang).slot.formatRange(from, new Date(from.getTime() + seconds * 1000));
}

/** @param {string[]} names @param {string} lang */
export const joined = (names, lang) => formats(lang).list.format(names);

/** @param {number} bytes @param {string} lang */
export function fileSize(bytes, lang) {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const options = { style: 'unit', unit: units[step], unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 };
  return new Intl.NumberFormat(lang, options).format(value);
}

/** How far this browser's clock is from UTC, as in `+02:00`. */
export function utcOffset(now = new Date()) {
  const minutes = -now.getTimezoneOffset();
  const two = (number) => String(Math.floor(number)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
