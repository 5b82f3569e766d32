/**
 * Places in a saved reply: `{customer.firstName}`, or with words for when there is nothing: `{customer.firstName|there}`. What
 * takes their place is one line of plain text, in which no further places are looked for.
 */

const NAMES = ['customer.firstName', 'customer.name', 'agent.publicName', 'channel.name', 'thread.id'];
const PLACE = /\{([a-z]+\.[A-Za-z]+)(?:\|([^{}]*))?\}/g;
const LONGEST = 200;

/** @param {string} text @param {Record<string, string|undefined>} values  by name
 *  @returns {string}  places without a value and without other words stay */
export function fillReply(text, values) {
  return text.replace(PLACE, (place, name, otherwise) => {
    if (!NAMES.includes(name)) return place;
    const value = (values[name] ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST);
    return value || (otherwise ?? place);
  });
}

/** The places that are still in a text, each once. @param {string} text @returns {string[]} */
export function openPlaces(text) {
  const found = [...text.matchAll(PLACE)].filter(([, name]) => NAMES.includes(name)).map(([place]) => place);
  return [...new Set(found)];
}
