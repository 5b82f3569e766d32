/** A person's own views of the list: each a name for what was chosen. */

const MOST = 20; // all settings of a person have 8 KiB
export const LONGEST_VIEW = 40; // characters of a name

/** @typedef {{name: string, channel?: string, state: string, filter: string, tag?: string, order?: string}} View */

/** The views with one more; one of the same name is replaced. The oldest go when there are too many.
 *  @param {View[]} views @param {View} view @returns {View[]} */
export function withView(views, view) {
  const name = view.name.trim().slice(0, LONGEST_VIEW);
  return [...views.filter((one) => one.name !== name), { ...view, name }].slice(-MOST);
}
