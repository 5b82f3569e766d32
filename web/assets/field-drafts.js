/** The fields of a channel's forms, between their definitions and what the desk writes of them. */

/** A text as the name of a field or an option: small letters, digits, dashes, and none of `taken`, to which it is added. */
export function identFor(label, taken) {
  const plain = label.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const base = plain.replace(/^-+|-+$/g, '').slice(0, 100) || 'field';
  let ident = base;
  for (let number = 2; taken.has(ident); number += 1) ident = `${base}-${number}`;
  taken.add(ident);
  return ident;
}

/** Options as lines of text, each level of a tree two spaces further in. */
export function optionLines(options = []) {
  const below = (parent) => options.filter(({ parentId }) => parentId === parent);
  const walk = (option, depth) => ['  '.repeat(depth) + option.label, ...below(option.id).flatMap((child) => walk(child, depth + 1))];
  return below(undefined).flatMap((option) => walk(option, 0)).join('\n');
}

/** Lines of text as options. An option in its old place keeps its id, so that earlier answers stay valid. */
export function readOptions(text, isTree, known = []) {
  const taken = new Set(known.map(({ id }) => id));
  const above = []; // the options that the next line may be below, with how far in they are
  const options = [];
  for (const line of text.split('\n')) {
    const label = line.trim();
    if (!label) continue;
    const indent = line.length - line.trimStart().length;
    while (above.length && (!isTree || above.at(-1).indent >= indent)) above.pop();
    const parentId = above.at(-1)?.id;
    const isFree = ({ id }) => !options.some((option) => option.id === id);
    const same = known.find((one) => one.label === label && one.parentId === parentId && isFree(one));
    const id = same?.id ?? identFor(label, taken);
    options.push({ id, label, ...(parentId !== undefined && { parentId }) });
    above.push({ id, indent });
  }
  return options;
}

/** The idents that rows began with. */
export const knownIdents = (rows) => new Set(rows.map(({ known }) => known?.ident).filter(Boolean));

/**
 * The rows of the form as definitions. A field that existed before keeps its ident.
 *
 * @param {{label: string, type: string, isRequired?: boolean, options?: string, known?: object}[]} rows
 *   `options`: lines; `known`: the definition that the row began with
 * @param {Set<string>} [taken]  idents that new fields must not get; theirs are added
 */
export function readFields(rows, taken = knownIdents(rows)) {
  return rows
    .filter(({ label }) => label.trim())
    .map(({ label, type, isRequired, options = '', known }) => ({
      ident: known?.ident ?? identFor(label, taken),
      label: label.trim(),
      type,
      ...(isRequired && { isRequired }),
      ...((type === 'list' || type === 'tree') && { options: readOptions(options, type === 'tree', known?.options) }),
    }));
}
