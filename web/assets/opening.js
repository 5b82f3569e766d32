/** Whether customers are answered now, by the channel's hours, and what is said while they are not. */
import { el, setText } from './dom.js';
import { comingDay, timeOfDay } from './format.js';
import { texts } from './texts.js';

const REST = 60_000; // ms; at midnight a day has another name

/** What is said while the channel is closed: when it opens, in this browser's zone, or that nobody is there.
 *  @param {{isOpen?: boolean, nextOpening?: string, mode?: string}} channel @returns {string}  empty: it is open, or nobody knows */
export function closedText({ isOpen, nextOpening, mode }, now = new Date()) {
  if (isOpen !== false) return '';
  if (!nextOpening || new Date(nextOpening) <= now) return mode === 'liveChat' ? texts.chat.nobody : texts.chat.leaveMessage;
  const time = timeOfDay(nextOpening);
  const day = comingDay(nextOpening, now);
  return day ? texts.chat.opensOn({ day, time }) : texts.chat.opensAt({ time });
}

/** The line that says it, above a conversation. */
export class OpeningLine {
  #channel = {};

  constructor() {
    this.element = el('p', { class: 'opening', role: 'status', hidden: true, data: { test: 'opening' } });
    setInterval(() => this.#render(), REST);
  }

  /** @param {object} [channel]  the one on show; none while one is chosen */
  show(channel = {}) {
    this.#channel = channel;
    this.#render();
  }

  get text() {
    return closedText(this.#channel);
  }

  #render() {
    setText(this.element, this.text);
    this.element.hidden = !this.text;
  }
}
