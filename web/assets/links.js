/** Addresses in a text: which become links, and where they end. */

const LONGEST = 2000; // characters of an address; the bound keeps the search linear in the text
// No blanks, quotes or angle brackets; no controls and nothing invisible, which could make an address look like another.
const ADDRESS = /https?:\/\/[^\s<>"`\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]{1,2001}/iy;
const LABELLED = /\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()<>"`]{1,2000})\)/iy;
const LOOKS_LIKE_ADDRESS = /:\/\/|^www\.|\w\.\w{2,}(?:[/:?#]|$)|[\u200b-\u200f\u202a-\u202e\u2060-\u206f]/i;

/** The address that begins at a place, and how long it is as written: without the marks that end a sentence.
 *  @param {string} text @param {number} at @returns {{href: string, text: string}|undefined} */
export function addressAt(text, at) {
  ADDRESS.lastIndex = at;
  const [whole] = ADDRESS.exec(text) ?? [];
  if (whole === undefined || whole.length > LONGEST) return undefined;
  const written = whole.slice(0, endOf(whole));
  const href = checked(written);
  return href && { href, text: written };
}

/** `[label](address)`. A label that itself looks like an address makes no link: it could name another place than it leads to.
 *  @returns {{href: string, text: string, label: string}|undefined} */
export function labelledAt(text, at) {
  LABELLED.lastIndex = at;
  const [written, label, address] = LABELLED.exec(text) ?? [];
  if (written === undefined || !label.trim() || LOOKS_LIKE_ADDRESS.test(label.trim())) return undefined;
  const href = checked(address);
  return href && { href, text: written, label };
}

/** The address as browsers write it: of the web, and without a name and password, which look like a host. */
function checked(address) {
  try {
    const url = new URL(address);
    const isOfTheWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isOfTheWeb && url.hostname && !url.username && !url.password ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Where an address ends, before marks of the sentence; a bracket belongs to it if it was opened in it. */
function endOf(address) {
  const open = { ')': '(', ']': '[', '}': '{' };
  const count = new Map();
  for (const char of address) if ('()[]{}'.includes(char)) count.set(char, (count.get(char) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1];
    if (last in open) {
      if ((count.get(last) ?? 0) <= (count.get(open[last]) ?? 0)) break;
      count.set(last, count.get(last) - 1);
    } else if (!'.,;:!?\'*_~|…’”»'.includes(last)) {
      break;
    }
  }
  return end;
}
