/** What the user has chosen on the page of reports: it stands in the page's address, so that a report can be kept and passed on. */

/** Times to choose from. */
export const SPANS = ['today', 'yesterday', 'week', 'days', 'month', 'own'];
/** What a row of a report is about. */
export const GROUPINGS = ['day', 'hour', 'agent', 'channel', 'tag'];
/** The most days of a report. */
export const MOST_DAYS = 366;

const DAY = 86_400_000;
const HOUR = 3_600_000;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** @typedef {{span: string, by: string, channel?: string, from?: string, to?: string, whose?: 'mine'}} Choice */

/** The choice that stands in an address. What is not understood there is as if it were not there.
 *  @param {string} search  the address from its `?` on @returns {Choice} */
export function choiceIn(search) {
  const asked = new URLSearchParams(search);
  const one = (name, known, usual) => (known.includes(asked.get(name)) ? asked.get(name) : usual);
  const date = (name) => (dayOf(asked.get(name)) ? asked.get(name) : undefined);
  return {
    span: one('span', SPANS, 'days'),
    by: one('by', GROUPINGS, 'day'),
    channel: asked.get('channel') || undefined,
    from: date('from'),
    to: date('to'),
    whose: one('whose', ['mine'], undefined),
  };
}

/** The same as a part of an address. @param {Choice} choice */
export function searchOf({ from, to, ...choice }) {
  const own = choice.span === 'own' ? { from, to } : {};
  const named = Object.entries({ ...choice, ...own }).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(named)}`;
}

/** The choice with another time. One day is shown by its hours, for it would be one row; many days are not.
 *  @param {Choice} choice @param {string} span @returns {Choice} */
export function withSpan(choice, span) {
  const isOne = (name) => name === 'today' || name === 'yesterday';
  const by = isOne(span) && choice.by === 'day' ? 'hour' : isOne(choice.span) && !isOne(span) && choice.by === 'hour' ? 'day' : choice.by;
  return { ...choice, span, by };
}

/** The first moment of a choice's time, and the one behind its last: midnights of this browser.
 *  @param {Choice} choice @returns {{since: Date, until: Date}|undefined}  undefined: own dates that are no time, or too long */
export function timeOf({ span, from, to }, now = new Date()) {
  const midnight = (more) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + more);
  if (span === 'own') return between(dayOf(from), dayOf(to));
  if (span === 'yesterday') return { since: midnight(-1), until: midnight(0) };
  const first = { today: midnight(0), week: midnight(-6), month: new Date(now.getFullYear(), now.getMonth(), 1) }[span];
  return { since: first ?? midnight(-29), until: midnight(1) };
}

/** From the first day to the end of the last one. */
function between(first, last) {
  if (!first || !last) return undefined;
  const until = new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1);
  const length = until - first;
  return length > 0 && length <= MOST_DAYS * DAY + HOUR ? { since: first, until } : undefined;
}

/** The midnight with which a day begins here; undefined for what is no date. @param {string} [date]  as in `2026-05-04` */
export function dayOf(date) {
  const [, year, month, day] = (DATE.exec(date ?? '') ?? []).map(Number);
  const made = new Date(year, month - 1, day);
  return made.getDate() === day && made.getMonth() === month - 1 ? made : undefined;
}

/** A day as fields for dates have it: `2026-05-04`. @param {Date} day */
export function dateOf(day) {
  const two = (number) => String(number).padStart(2, '0');
  return `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The time zone of this browser. */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** What the gateway is asked. @param {Choice} choice @param {{since: Date, until: Date}} time */
export const queryOf = ({ by, channel }, { since, until }) => ({
  since: since.toISOString(),
  until: until.toISOString(),
  timeZone: zoneHere(),
  by,
  channel: channel && [channel],
});
