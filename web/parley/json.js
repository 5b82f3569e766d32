/** The value of a text, or the text itself where it is not JSON. */
export function decoded(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
