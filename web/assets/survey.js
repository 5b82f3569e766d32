/** What a channel asks before a conversation begins: its questions as fields of a form, its answers as custom fields. */

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

/** What a refusal says of each field: ident -> words. */
export function problemsByField({ errors = [] }) {
  const found = new Map();
  for (const { pointer, detail } of errors) {
    const [, ident] = /^#\/customFields\/(.+)$/.exec(pointer ?? '') ?? [];
    if (ident === undefined) continue;
    found.set(decodeURIComponent(ident).replaceAll('~1', '/').replaceAll('~0', '~'), detail ?? 'Please answer.');
  }
  return found;
}
