/** @typedef {{type: string, id?: string, data?: string}} Frame */

/** Parses text/event-stream, however it is cut into chunks. */
export class EventStreamParser {
  #rest = '';
  #afterCR = false;
  #type = '';
  /** @type {string|undefined} */
  #data;
  /** @type {string|undefined} */
  #id;

  /** What the last `retry:` field said, in milliseconds.
   *  @type {number|undefined} */
  retry;

  /**
   * @param {string} text  the next piece of the stream
   * @returns {Frame[]}  complete events; one without data only moves the id
   */
  push(text) {
    /** @type {Frame[]} */
    const frames = [];
    let from = 0;
    // A CR ends its line at once; an LF that follows belongs to it, even at the start of the next chunk.
    if (this.#afterCR && text.length > 0) {
      if (text[0] === '\n') from = 1;
      this.#afterCR = false;
    }
    for (const end = /\r\n|\r|\n/g; ; ) {
      end.lastIndex = from;
      const match = end.exec(text);
      if (!match) break;
      this.#line(this.#rest + text.slice(from, match.index), frames);
      this.#rest = '';
      from = match.index + match[0].length;
      this.#afterCR = match[0] === '\r' && from === text.length;
    }
    this.#rest += text.slice(from);
    return frames;
  }

  /**
   * @param {string} line
   * @param {Frame[]} frames  gets the event that the line completes
   */
  #line(line, frames) {
    if (line === '') {
      if (this.#data !== undefined || this.#id !== undefined) {
        frames.push({ type: this.#type || 'message', id: this.#id, data: this.#data });
      }
      this.#type = '';
      this.#data = this.#id = undefined;
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#type = value;
    else if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
  }
}
