/** What waits now, in one line. It is asked for again every half minute while somebody looks. */
import { el, setText } from './dom.js';
import { counted, roughly } from './format.js';
import { texts } from './texts.js';

const words = texts.reports;
const REST = 30_000; // ms
const MOST = 10_000; // the gateway counts no further

const upTo = (count) => (count >= MOST ? `${counted(count)}+` : counted(count));

/** @param {{open: number, waiting: number, longestWaitingSince?: string}} numbers @param {number} time  now, in ms */
export function nowText({ open, waiting, longestWaitingSince }, time = Date.now()) {
  const said = [words.openNow({ number: upTo(open) }), words.waitingNow({ number: upTo(waiting) })];
  if (longestWaitingSince) {
    const minutes = Math.max(0, Math.floor((time - Date.parse(longestWaitingSince)) / 60_000));
    said.push(minutes < 1 ? words.longestShort : words.longest({ duration: roughly(minutes) }));
  }
  return said;
}

export class NowLine {
  #ask;
  #channel;
  #turn = 0;

  /** @param {(options: {channel?: string[]}) => Promise<object>} ask */
  constructor(ask) {
    this.#ask = ask;
    this.facts = el('span', { data: { test: 'reports-now-facts' } });
    this.element = el('p', { class: 'reports-now', hidden: true, data: { test: 'reports-now' } }, el('strong', {}, words.now), ' ', this.facts);
    setInterval(() => document.visibilityState === 'visible' && !this.element.hidden && this.#refresh(), REST);
  }

  /** @param {string} [channel]  all of them if it is left out */
  follow(channel) {
    this.#channel = channel;
    return this.#refresh();
  }

  async #refresh() {
    const mine = (this.#turn += 1);
    try {
      const numbers = await this.#ask({ channel: this.#channel && [this.#channel] });
      if (mine !== this.#turn) return;
      setText(this.facts, nowText(numbers).join(' · '));
      this.element.hidden = false;
    } catch {
      if (mine === this.#turn) this.element.hidden = true; // an old number would be a wrong one
    }
  }
}
