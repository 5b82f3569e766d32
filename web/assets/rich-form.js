/** What the desk has filled in, as the content of a message; undefined if it makes none.
 *  @param {{type: string, title: string, offer: string}} form */
export function richContent({ type, title, offer }) {
  if (type === 'richLink') return /^https?:\/\/[!-~]+$/.test(offer) ? { title, url: offer } : undefined;
  const answers = offer.split(';').map((one) => one.trim()).filter(Boolean);
  if (!answers.length) return undefined;
  const buttons = answers.map((text) => ({ text, postback: text }));
  return type === 'listPicker' ? { title, text: title, buttons } : { title, buttons };
}
