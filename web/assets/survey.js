/** What a channel asks before a conversation begins: its questions as fields of a form, its answers as custom fields. */
import { language, texts } from './texts.js';

/** As a field of `ask`. */
export function question({ ident, label, type, isRequired, options }, at, value, problem) {
  const shown = { name: `survey-${at}`, label, value, required: isRequired, problem, data: ident };
  if (type === 'email') return { ...shown, type: 'email', maxLength: 320 };
  if (type === 'list') return { ...shown, options: [['', ''], ...options.map(({ id, label: text }) => [id, text])] };
  if (type === 'tree') return { ...shown, options: [['', ''], ...leaves(options)] };
  return { ...shown, maxLength: 4096 };
}

/** The options of a tree that can be chosen, those with none below them: [id, "Above › Leaf"], in the order of the tree. */
export function leaves(options) {
  const below = (parent) => options.filter(({ parentId }) => parentId === parent);
  const walk = (option, path) => {
    const labels = [...path, option.label];
    const children = below(option.id);
    return children.length ? children.flatMap((child) => walk(child, labels)) : [[option.id, labels.join(' › ')]];
  };
  return below(undefined).flatMap((option) => walk(option, []));
}

/** What is noted of a conversation, for people: [label, value], as it was asked, the values of lists and trees by their labels.
 *  @param {import('../parley.js').Channel|undefined} channel @param {Record<string, string>} [customFields] */
export function answers(channel, customFields = {}) {
  const fields = [...(channel?.preChatSurvey?.fields ?? []), ...(channel?.contactFields ?? [])];
  const asked = fields.map(({ ident }) => ident).filter((ident) => Object.hasOwn(customFields, ident));
  return [...new Set([...asked, ...Object.keys(customFields)])].map((ident) => {
    const field = fields.find((one) => one.ident === ident);
    return [field?.label ?? ident, chosen(field, customFields[ident]) ?? customFields[ident]];
  });
}

function chosen({ type, options = [] } = {}, value) {
  if (type === 'list') return options.find(({ id }) => id === value)?.label;
  return type === 'tree' ? new Map(leaves(options)).get(value) : undefined;
}

/** What a refusal says of each field: ident -> words. */
export function problemsByField({ errors = [] }) {
  const found = new Map();
  for (const { pointer, ...fault } of errors) {
    const [, ident] = /^#\/customFields\/(.+)$/.exec(pointer ?? '') ?? [];
    if (ident === undefined) continue;
    found.set(decodeURIComponent(ident).replaceAll('~1', '/').replaceAll('~0', '~'), said(fault));
  }
  return found;
}

/** The gateway's own sentence is English, and says what was expected. */
function said({ code, detail }) {
  if (detail && language === 'en') return detail;
  return code === 'invalidParameter' ? texts.survey.wrong : texts.survey.answer;
}
