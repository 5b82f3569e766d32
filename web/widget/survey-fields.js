/** What a channel asks before a conversation: its questions as fields of a form, and what is wrong with the answers. */

/** The options of a tree that can be chosen, those with none below them: [id, "Above › Leaf"], in the order of the tree.
 *  @param {{id: string, label: string, parentId?: string}[]} options @returns {[string, string][]} */
export function leaves(options) {
  const below = (parent) => options.filter(({ parentId }) => parentId === parent);
  const walk = (option, path) => {
    const labels = [...path, option.label];
    const children = below(option.id);
    return children.length ? children.flatMap((child) => walk(child, labels)) : [[option.id, labels.join(' › ')]];
  };
  return below(undefined).flatMap((option) => walk(option, []));
}

/** What may be chosen; undefined: anything may be written. @returns {[string, string][]|undefined} */
export function choices({ type, options = [] }) {
  if (type === 'list') return options.map(({ id, label }) => [id, label]);
  return type === 'tree' ? leaves(options) : undefined;
}

/** What is wrong with the answers, as far as the page can tell: ident -> key of a text.
 *  @param {{ident: string, type: string, isRequired?: boolean}[]} fields @param {Record<string, string>} answers
 *  @returns {Map<string, string>} */
export function mistakes(fields, answers) {
  const found = new Map();
  for (const { ident, type, isRequired } of fields) {
    const answer = answers[ident]?.trim() ?? '';
    if (isRequired && !answer) found.set(ident, 'survey.required');
    else if (type === 'email' && answer && !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(answer)) found.set(ident, 'survey.emailWrong');
  }
  return found;
}

/** The fields that a refusal of the gateway is about, in the same form. Its own words are not for customers.
 *  @param {{errors?: {pointer?: string}[]}} error @param {{ident: string, type: string}[]} fields */
export function refusedFields({ errors = [] }, fields) {
  const found = new Map();
  for (const { pointer } of errors) {
    const [, part] = /^#\/customFields\/(.+)$/.exec(pointer ?? '') ?? [];
    if (part === undefined) continue;
    const ident = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const field = fields.find((one) => one.ident === ident);
    if (field) found.set(ident, field.type === 'email' ? 'survey.emailWrong' : 'survey.required');
  }
  return found;
}
