/** What the desk has filled in, as the content of a message; undefined if it makes none.
 *  @param {{type: string, title: string, offer: string}} form */
export function richContent({ type, title, offer }) {
  if (type === 'richLink') return /^https?:\/\/[!-~]+$/.test(offer) ? { title, url: offer } : undefined;
  const answers = offer.split(/[;\n]/).map((one) => one.trim()).filter(Boolean);
  if (!answers.length) return undefined;
  if (type === 'timePicker') {
    const timeSlots = answers.map(timeSlot);
    return timeSlots.every(Boolean) ? { title, sheetTitle: title, timeSlots } : undefined;
  }
  const buttons = answers.map((text) => ({ text, postback: text }));
  return type === 'listPicker' ? { title, text: title, buttons } : { title, buttons };
}

/** `2026-05-04 09:30` by this machine's clock, with ` 45` after it for 45 minutes: half an hour otherwise. */
function timeSlot(text, index) {
  const [, day, time, minutes = '30'] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?: +(\d{1,4}))?$/.exec(text) ?? [];
  const start = new Date(`${day}T${time}`);
  if (Number.isNaN(start.getTime()) || Number(minutes) < 1) return undefined;
  return { id: `slot-${index + 1}`, duration: Number(minutes) * 60, startTime: start.toISOString() };
}
