/** Everything on the screen: the head, a notice, and what belongs to the frame's state. */
import { el, place, setText } from './dom.js';
import { Card, consentCard, consentText } from './cards.js';
import { ChatView } from './chat-view.js';
import { HeadView } from './head-view.js';
import { button } from './icons.js';
import { closedText, surveyOf } from './opening.js';
import { StartView } from './start-view.js';
import { SurveyView } from './survey-view.js';
import { t } from './texts.js';

const BRIEF = 6000; // ms that a notice stays which needs no more

export class Screens {
  #notice;
  #timer;
  #shown;

  /** @param {object} parts  of the views: head, start, survey, chat; and `act`: what cards do, by name */
  constructor(parts) {
    this.parts = parts;
    this.head = new HeadView(parts.head);
    this.start = new StartView(parts.start);
    this.survey = new SurveyView(parts.survey);
    this.chat = new ChatView(parts);
    this.cards = { away: new Card('away'), identityNeeded: new Card('identity'), blocked: new Card('blocked') };
    this.noticeBar = el('p', { class: 'notice', hidden: true, data: { test: 'notice' } });
    this.main = el('main', {});
    this.live = el('p', { class: 'visually-hidden', 'aria-live': 'polite', data: { test: 'announcer' } });
    document.body.replaceChildren(this.head.element, this.noticeBar, this.main, this.live);
  }

  /** Says something to screen readers. @param {string} text */
  say(text) {
    // The same text twice in one place is not spoken again.
    this.live.replaceChildren(el('span', {}, text));
  }

  /** A line for everybody. @param {string} [key]  undefined: none @param {{stays?: boolean, only?: string}} [how]
   *  `only`: takes away no other notice than this one */
  notify(key, { stays = false, only, values } = {}) {
    if (only && this.#notice !== only) return;
    clearTimeout(this.#timer);
    this.#notice = key;
    const text = key ? t(key, values) : '';
    this.noticeBar.hidden = !text;
    setText(this.noticeBar, text);
    if (!text) return;
    this.say(text);
    if (!stays) this.#timer = setTimeout(() => this.notify(), BRIEF);
  }

  /** @param {import('./frame-state.js').State} state @param {object} settings */
  show(state, settings) {
    const { consent } = settings.visitors ?? {};
    const { act } = this.parts;
    if (state.name === 'consent') this.cards.consent ??= consentCard(consent, act);
    if (state.name === 'away') this.cards.away.show(closedText({ ...settings, isOnline: false }), [button('try', t('marks.retry'), act.retry, 'primary')]);
    if (state.name === 'identityNeeded') this.cards.identityNeeded.show(t(`identity.${state.reason}`));
    const reconsider = state.reason === 'consent.declined' && [button('reconsider', t('head.back'), act.reconsider, 'primary')];
    if (state.name === 'blocked') this.cards.blocked.show(t(state.reason), reconsider || []);
    if (state.name === 'survey') this.survey.show(surveyOf(settings), this.parts.prefilled());
    const hasNote = Boolean(consent && !consent.required && !state.session);
    this.chat.notice.hidden = !hasNote;
    if (hasNote) this.chat.notice.replaceChildren(...consentText(consent.url));
    const view = this.#view(state.name);
    const isOther = this.#shown !== view;
    this.#shown = view;
    place(this.main, [view.element]);
    document.body.dataset.state = state.name;
    return isOther;
  }

  /** The keyboard goes where one goes on; to a heading where fingers write, as the field would bring up the keys. */
  focus() {
    if (!matchMedia('(pointer: coarse)').matches) return void (this.#shown === this.chat ? this.chat.composer : this.#shown)?.focus?.();
    this.head.title.tabIndex = -1;
    this.head.title.focus({ preventScroll: true });
  }

  #view(name) {
    if (name === 'idle') return this.start;
    return name === 'survey' ? this.survey : (this.cards[name] ?? this.chat);
  }
}
