/** What a rich message offers: answers to choose from, times, a link. A text stands for it where it cannot be shown. */
import { el } from './dom.js';
import { icon } from './icons.js';
import { isOfTheWeb, link } from './text-view.js';
import { lang, t } from './texts.js';
import { slot } from './times.js';

export class RichView {
  #content;
  #offers = [];
  #answer;

  /** @param {(answer: {text: string, postback?: string}) => void} answer  called with what was chosen */
  constructor(answer) {
    this.#answer = answer;
    this.element = el('div', { class: 'rich', hidden: true });
  }

  /** Whether it shows everything that the message says, so that its text is not needed beside it.
   *  @param {{type?: string, content?: object}} message @param {import('./rows.js').Choice|undefined} choice @param {boolean} mayAnswer */
  update({ type, content }, choice, mayAnswer) {
    const make = content && KINDS[type];
    this.element.hidden = !make;
    if (!make) return false;
    if (this.#content !== content) {
      this.#content = content;
      const { lines, offers = [] } = make(content);
      this.#offers = offers.map((one) => this.#offer(one));
      const box = el('div', { class: type === 'quickReplies' ? 'offers' : 'offers list', data: { test: 'choices' } }, this.#offers);
      this.element.replaceChildren(...lines, ...(offers.length ? [box] : []));
    }
    const isOver = Boolean(choice?.isOver);
    // Quick replies go with the answer, which stands below as a message; a list shows what was chosen of it.
    this.element.querySelector('.offers')?.toggleAttribute('hidden', isOver && type === 'quickReplies');
    this.#offers.forEach((one, at) => {
      one.disabled = isOver || !mayAnswer;
      one.classList.toggle('chosen', choice?.chosen === at);
    });
    return true;
  }

  #offer({ text, description, postback }) {
    const click = () => this.#answer({ text, ...(postback && { postback }) });
    return el(
      'button',
      { type: 'button', class: 'offer', data: { test: 'choice' }, on: { click } },
      el('span', { dir: 'auto' }, text),
      description && el('small', { dir: 'auto' }, description),
      icon('check'),
    );
  }
}

/** Each kind of content: lines, and what may be chosen. */
const KINDS = {
  quickReplies: ({ title, buttons }) => ({ lines: [line('rich-title', title)], offers: buttons }),
  listPicker: ({ title, text, buttons }) => ({ lines: [line('rich-title', title), line('', text)], offers: buttons }),
  timePicker: ({ title, sheetTitle, timeSlots = [] }) => ({
    lines: [line('rich-title', title), line('', sheetTitle)],
    offers: timeSlots.map(({ id, startTime, duration }) => ({ text: slot(startTime, duration, lang()), postback: id })),
  }),
  /** Without its picture: the page loads nothing from elsewhere. */
  richLink: ({ title, url }) => {
    const words = [el('span', { dir: 'auto' }, title), icon('link')];
    const shown = isOfTheWeb(url) ? link(url, words, { class: 'rich-link' }) : line('rich-title', title);
    return { lines: [shown, line('muted', host(url))] };
  },
};

function line(look, text) {
  return el('p', { class: look || undefined, dir: 'auto', hidden: !text }, text ?? '');
}

function host(url) {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

/** Whether a message has a kind that is shown here. @param {{type?: string}} message */
export const isKnown = ({ type }) => type === undefined || ['text', 'file', 'admin'].includes(type) || Object.hasOwn(KINDS, type);

/** What stands for a message of a kind that is not. */
export const unknownText = (message) => message.text || t('messages.unknown');
