/** How times, numbers and people are written in the page's language. */
import { plain } from './markup.js';
import { locale, texts } from './texts.js';

/** An `Intl` object that is made at its first use: to make one takes long, and no page needs all of them. */
const lazily = (Kind, options, made) => () => (made ??= new Kind(locale, options));
const dates = (options) => {
  const get = lazily(Intl.DateTimeFormat, options);
  return (iso) => get().format(new Date(iso));
};

export const timeOfDay = dates({ hour: 'numeric', minute: '2-digit' });
export const fullTime = dates({ dateStyle: 'full', timeStyle: 'medium' });
export const dateAndTime = dates({ dateStyle: 'medium', timeStyle: 'short' });
/** A time to choose from: the next days, seldom another year. */
export const slotTime = dates({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
const weekday = dates({ weekday: 'long' });
const longDay = dates({ weekday: 'long', day: 'numeric', month: 'long' });
const shortDay = dates({ day: 'numeric', month: 'short' });
const withYear = dates({ day: 'numeric', month: 'long', year: 'numeric' });
const exactTime = dates({ timeStyle: 'medium' });
const exactDay = dates({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', second: '2-digit' });

const list = lazily(Intl.ListFormat, { type: 'conjunction' });
const relative = lazily(Intl.RelativeTimeFormat, { numeric: 'auto' });
const numbers = lazily(Intl.NumberFormat);
const percent = lazily(Intl.NumberFormat, { style: 'percent' });

/** Names as one text: "Ada, Grace, and Mia". @param {string[]} names */
export const listed = (names) => list().format(names);

/** A part of one: "40%". @param {number} part */
export const share = (part) => percent().format(part);

/** A number as the language writes it: "1,200". @param {number} value */
export const counted = (value) => numbers().format(value);

/** How far this browser's clock is from UTC, as in `+02:00`. */
export function utcOffset(now = new Date()) {
  const minutes = -now.getTimezoneOffset();
  const two = (number) => String(Math.floor(number)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** A key that two times share when they fall on one local day. */
export const dayKey = (iso) => new Date(iso).toDateString();

/** Whole local days between a time and now. */
function age(iso, now) {
  const start = (time) => new Date(time.getFullYear(), time.getMonth(), time.getDate());
  return Math.round((start(now) - start(new Date(iso))) / 86_400_000);
}

/** The line above a day's messages. */
export function dayLabel(iso, now = new Date()) {
  const days = age(iso, now);
  if (days === 0) return texts.times.today;
  if (days === 1) return texts.times.yesterday;
  if (days > 1 && days < 7) return weekday(iso);
  return (new Date(iso).getFullYear() === now.getFullYear() ? longDay : withYear)(iso);
}

/** The day of a time to come: "tomorrow", "Monday"; undefined for today. */
export function comingDay(iso, now = new Date()) {
  const days = -age(iso, now);
  if (days <= 0) return undefined;
  if (days === 1) return relative().format(1, 'day');
  if (days < 7) return weekday(iso);
  return (new Date(iso).getFullYear() === now.getFullYear() ? longDay : withYear)(iso);
}

/** The time in a list of conversations. */
export function shortTime(iso, now = new Date()) {
  const days = age(iso, now);
  if (days <= 0) return timeOfDay(iso);
  if (days === 1) return texts.times.yesterday;
  return days < 7 ? weekday(iso) : shortDay(iso);
}

/** A time with its seconds, and with its day if that is another than today. */
export function moment(iso, now = new Date()) {
  return (dayKey(iso) === now.toDateString() ? exactTime : exactDay)(iso);
}

/** @param {{firstName?: string, lastName?: string}|undefined} customer */
export function personName(customer) {
  return [customer?.firstName, customer?.lastName].filter(Boolean).join(' ');
}

/** Up to two initials. */
export function initials(name) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked.map((word) => [...word][0].toUpperCase()).join('');
}

/** One of eight tints, always the same for the same text. */
export function tint(text) {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + char.codePointAt(0)) >>> 0;
  return sum % 8;
}

/** A message in one line. */
export function summary(message) {
  const files = (message.attachments ?? message.files ?? []).map(({ name }) => name);
  return (message.text && plain(message.text)) || listed(files) || texts.message.attachment;
}

/** "1 reply", "99+ replies". @param {number} count */
export function replyCount(count, most = 99) {
  return count > most ? texts.replies.countMore({ count: most }) : texts.replies.count({ count });
}

/** @param {number} bytes */
export function fileSize(bytes) {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return measured(value, units[step], { unitDisplay: step ? 'short' : 'long', digits: step && value < 10 ? 1 : 0 });
}

const measures = new Map();

/** A length of time or a size: "5 min". @param {number} value @param {string} unit  as `Intl` names it
 *  @param {{unitDisplay?: 'long'|'short'|'narrow', digits?: number}} [how]  digits: behind the point */
export function measured(value, unit, { unitDisplay = 'short', digits = 0 } = {}) {
  const key = [unit, unitDisplay, digits].join();
  const how = { style: 'unit', unit, unitDisplay, minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (!measures.has(key)) measures.set(key, new Intl.NumberFormat(locale, how));
  return measures.get(key).format(value);
}

/** A time in its greatest whole unit: "5 min", "3 hr", "2 days". @param {number} minutes */
export function roughly(minutes) {
  if (minutes < 60) return measured(minutes, 'minute');
  return minutes < 1440 ? measured(Math.floor(minutes / 60), 'hour') : measured(Math.floor(minutes / 1440), 'day');
}
