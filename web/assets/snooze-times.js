/** Until when a conversation may be put off, in the time of this browser: the next good moments, and what is allowed. */

const MINUTE = 60_000;
export const SOONEST = 5 * MINUTE;
export const LATEST = 365 * 24 * 60 * MINUTE;

function at(now, days, hour) {
  const time = new Date(now);
  time.setDate(time.getDate() + days); // by the calendar: a day may have 23 hours
  time.setHours(hour, 0, 0, 0);
  return time;
}

/** @param {Date} [now] @returns {{today: Date, tomorrow: Date, week: Date}}  `today`: in three hours, at a whole hour;
 *   `week`: next Monday */
export function snoozeTimes(now = new Date()) {
  const today = new Date(now);
  today.setHours(now.getHours() + 3, 0, 0, 0);
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return { today, tomorrow: at(now, 1, 9), week: at(now, toMonday, 9) };
}

/** Whether the gateway takes it. @param {Date} time @param {Date} [now] */
export const isSnoozeTime = (time, now = new Date()) => time - now >= SOONEST && time - now <= LATEST; // NaN is neither

/** As a field `datetime-local` has it. @param {Date} time */
export function localTime(time) {
  const two = (number) => String(number).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
