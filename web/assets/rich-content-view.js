/** What a rich message offers: answers to choose from, times, a link. A text stands for it where it cannot be shown. */
import { el, icon, set } from './dom.js';
import { slotTime, timeOfDay } from './format.js';


export class RichContentView {
  #content;
  #buttons = [];

  /** @param {(answer: {text: string, postback?: string}) => void} answer  called with what was chosen */
  constructor(answer) {
    this.answer = answer;
    this.element = el('div', { class: 'rich', hidden: true });
  }

  /** Whether it shows everything that the message says, so that its text is not needed beside it.
   *  @param {{type?: string, content?: object}} message @param {boolean} mayAnswer */
  update({ type, content }, mayAnswer) {
    const make = content && this[type];
    this.element.hidden = !make;
    if (!make) return false;
    if (this.#content !== content) {
      this.#content = content;
      this.#buttons = [];
      this.element.replaceChildren(...make.call(this, content));
    }
    for (const button of this.#buttons) button.disabled = !mayAnswer;
    return true;
  }

  quickReplies({ title, buttons = [] }) {
    return [line('rich-title', title), el('div', { class: 'rich-row' }, buttons.map((one) => this.#reply(one)))];
  }

  listPicker({ title, text, buttons = [] }) {
    return [
      line('rich-title', title),
      line('rich-text', text),
      el('div', { class: 'rich-list' }, buttons.map((one) => this.#reply(one))),
    ];
  }

  timePicker({ title, sheetTitle, timeSlots = [] }) {
    const slots = timeSlots.map(
      ({ id, startTime, duration }) => this.#reply({ text: slotText(startTime, duration), postback: id }),
    );
    return [line('rich-title', title), line('rich-text', sheetTitle), el('div', { class: 'rich-list' }, slots)];
  }

  /** Without its picture: pages load nothing from elsewhere. */
  richLink({ title, url }) {
    const link = el(
      'a',
      { class: 'rich-link', dir: 'auto', target: '_blank', rel: 'noopener noreferrer', data: { test: 'rich-link' } },
      icon('link'),
      title,
    );
    if (/^https?:\/\//.test(url ?? '')) set(link, 'href', url);
    return [link, line('rich-text', host(url))];
  }

  #reply({ text, description, postback }) {
    const click = () => this.answer({ text, ...(postback && { postback }) });
    const more = description && el('span', { class: 'rich-description' }, description);
    const button = el(
      'button',
      { type: 'button', class: 'rich-button', dir: 'auto', data: { test: 'rich-button' }, on: { click } },
      text,
      more,
    );
    this.#buttons.push(button);
    return button;
  }
}

function line(name, text) {
  return el('p', { class: name, dir: 'auto', hidden: !text }, text ?? '');
}

function host(url) {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

function slotText(startTime, duration) {
  return `${slotTime(startTime)} – ${timeOfDay(Date.parse(startTime) + duration * 1000)}`;
}
