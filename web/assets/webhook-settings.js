/** What the forms of webhooks hold, as settings that the gateway takes; and the gateway's problems as those of the fields. */
import { ParleyError } from '../parley.js';
import { TYPES } from './webhook-format.js';

/** What the form of a webhook begins with: its settings as texts. @param {import('../parley.js').Webhook} webhook */
export const settingsText = ({ url, description, types, directions, channels, concurrency, timeoutSeconds }) => ({
  url,
  description: description ?? '',
  types: types.length === TYPES ? '' : types.join(', '),
  directions: directions?.length === 1 ? directions[0] : '',
  channels: channels?.join(', ') ?? '',
  concurrency: String(concurrency),
  timeoutSeconds: String(timeoutSeconds),
});

/** The settings of a new webhook, without what is left to the defaults. @param {Record<string, string>} texts
 *  @param {Record<string, string>} [headers] */
export function settings(texts, headers) {
  const given = Object.entries(members(texts)).filter(([, value]) => value !== null);
  const { session } = texts;
  return { ...Object.fromEntries(given), ...(session && { audience: { session } }), ...(headers && { headers }) };
}

/** What is to be changed: the settings whose texts are other ones; null: the default.
 *  @param {Record<string, string>} before @param {Record<string, string>} texts
 *  @param {Record<string, string|null>} [headers] */
export function changes(before, texts, headers) {
  const changed = Object.entries(members(texts)).filter(([name]) => texts[name] !== before[name]);
  return { ...Object.fromEntries(changed), ...(headers && { headers }) };
}

/** The settings that texts mean; null: the default. */
const members = ({ url, description, types, directions, channels, concurrency, timeoutSeconds }) => ({
  url,
  description: description || null,
  types: words(types),
  directions: directions ? [directions] : null,
  channels: words(channels),
  concurrency: concurrency ? Number(concurrency) : null,
  timeoutSeconds: timeoutSeconds ? Number(timeoutSeconds) : null,
});

function words(text) {
  const list = text.split(/[,;\s]+/).filter(Boolean);
  return list.length ? list : null;
}

/** The place in the log that the form of a replay names. @param {{since: string, after: string}} texts  a local time, an id */
export function replayPlace({ since, after }) {
  return { ...(since && { since: new Date(since).toISOString() }), ...(after && { after }) };
}

/** What the gateway would say of this field. @param {string} code @param {string} field  a path below the settings */
export const fault = (code, field, detail) =>
  new ParleyError({ code, status: 422, detail, errors: [{ pointer: `#/${field}`, detail }] });

/** Problems by field: `#/types/0` is of `types`, and what is said of an address is of `url`. What belongs to no field is of
 *  `''`. */
export function problemsOf({ code, message, errors }) {
  const named = errors.map(({ pointer = '', detail }) => atField(pointer.split('/'), detail)).filter(([name]) => name);
  if (named.length) return Object.fromEntries(named);
  return { [code === 'targetNotAllowed' ? 'url' : '']: message };
}

/** [field, text]; of one of the headers the text has its name. */
function atField([, member, name], detail) {
  if (member === 'headers' && name) return [member, `${name}: ${detail}`];
  return [member === 'audience' ? 'session' : member, detail];
}
