/** Faults of the sandbox, between a form's values, the API's members and words. */
import { texts } from './texts.js';

const NAMES = ['event', 'customer', 'channel', 'errorCode'];
const NUMBERS = ['count', 'socket', 'nth', 'probability', 'seed', 'milliseconds'];

/** The body of `POST /v1/sandbox/faults`. What is empty is left out; the gateway knows what is usual.
 *  @param {Record<string, string>} values  of the form; `seconds` is how long the fault lasts */
export function faultBody(values) {
  const filled = (names) => names.filter((name) => values[name]?.trim());
  return {
    kind: values.kind,
    ...Object.fromEntries(filled(NAMES).map((name) => [name, values[name].trim()])),
    ...Object.fromEntries(filled(NUMBERS).map((name) => [name, Number(values[name])])),
    ...(values.seconds?.trim() && { lastsMilliseconds: Math.round(Number(values.seconds) * 1000) }),
  };
}

/** What else must be so for a fault to happen, in a few words. @param {Record<string, any>} fault */
export function conditionWords({ channel, socket, nth, probability, seed, lastsMilliseconds, milliseconds, errorCode }) {
  const t = texts.faults;
  const words = {
    channel, socket, nth, probability, seed, milliseconds, errorCode, seconds: lastsMilliseconds && lastsMilliseconds / 1000,
  };
  return Object.entries(words).filter(([, value]) => value !== undefined).map(([name, value]) => `${t[name]}: ${value}`).join(', ');
}

/** A step of a script as a line: what, whom, and how far it is. @param {{progress: string, fault: object, happened: object[]}} step */
export function stepWords({ progress, fault, trigger, happened }) {
  const t = texts.faults;
  const { event = t.anything, nth = 1 } = trigger ?? {};
  const after = trigger && (nth > 1 ? t.afterNth({ event, nth }) : t.after({ event }));
  const what = [fault.kind, fault.event, fault.customer, conditionWords(fault), after].filter(Boolean).join(' · ');
  const frames = happened.length ? ` (${t.frames({ numbers: happened.map(({ frame }) => frame).join(', '), count: happened.length })})` : '';
  return `${what}: ${t.progress[progress] ?? progress}${frames}`;
}
