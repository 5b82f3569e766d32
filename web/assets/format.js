/** How times and people are written. */
import { plain } from './markup.js';
import { texts } from './texts.js';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' });
const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const withYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

const exactClock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export const timeOfDay = (iso) => clock.format(new Date(iso));
export const fullTime = (iso) => full.format(new Date(iso));

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
  if (days > 1 && days < 7) return weekday.format(new Date(iso));
  return (new Date(iso).getFullYear() === now.getFullYear() ? longDay : withYear).format(new Date(iso));
}

/** The time in a list of conversations. */
export function shortTime(iso, now = new Date()) {
  const days = age(iso, now);
  if (days <= 0) return timeOfDay(iso);
  if (days === 1) return texts.times.yesterday;
  return days < 7 ? weekday.format(new Date(iso)) : shortDay.format(new Date(iso));
}

/** A time with its seconds, and with its day if that is another than today. */
export function moment(iso, now = new Date()) {
  const time = exactClock.format(new Date(iso));
  return dayKey(iso) === now.toDateString() ? time : `${shortDay.format(new Date(iso))}, ${time}`;
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
  const files = (message.attachments ?? message.files ?? []).map(({ name }) => name).join(', ');
  return (message.text && plain(message.text)) || files || texts.message.attachment;
}

/** "1 reply", "99+ replies". @param {number} count */
export function replyCount(count, most = 99) {
  return texts.replies.count(count, most);
}

/** @param {number} bytes */
export function fileSize(bytes) {
  const { units } = texts.files;
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[step]}`;
}
