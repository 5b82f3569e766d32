/** Where one comes in on a channel with several conversations: a greeting, a new one, earlier ones. */
import { el, place } from './dom.js';
import { button, icon } from './icons.js';
import { lang, t } from './texts.js';
import { shortTime } from './times.js';

export class StartView {
  #pick;

  /** @param {{compose: () => void, pick: (thread: object) => void}} parts */
  constructor({ compose, pick }) {
    this.#pick = pick;
    this.greeting = el('h2', { class: 'greeting', dir: 'auto', tabindex: '-1' });
    this.begin = button('begin', '', compose, 'primary wide');
    this.heading = el('h3', {}, t('start.earlier'));
    this.list = el('ul', { class: 'threads' });
    this.element = el('div', { class: 'screen start', data: { test: 'start' } }, this.greeting, this.begin, this.heading, this.list);
  }

  focus() {
    this.greeting.focus({ preventScroll: true });
  }

  /** @param {object[]} threads @param {{greeting?: string, isOwn: (message: object) => boolean, name: (author: object) => string}} how */
  render(threads, { greeting, isOwn, name }) {
    this.greeting.textContent = greeting ?? t('start.greeting');
    this.heading.hidden = this.list.hidden = threads.length === 0;
    this.begin.replaceChildren(icon(threads.length ? 'plus' : 'chat'), threads.length ? t('start.new') : t('start.begin'));
    place(this.list, threads.map((thread) => this.#row(thread, isOwn, name)));
  }

  #row(thread, isOwn, name) {
    const { lastMessage: last, unreadCount = 0 } = thread;
    const who = last && (isOwn(last) ? t('list.you') : name(last.author));
    const words = last && (last.text ?? (last.attachments ?? []).map((file) => file.name).join(', '));
    const said = !last ? t('list.noMessages') : words ? t('list.said', { name: who, text: words }) : who;
    const title = thread.name || thread.agent?.name || t('start.untitled');
    const isClosed = thread.state === 'closed';
    const click = () => this.#pick(thread);
    return el(
      'li',
      {},
      el(
        'button',
        { type: 'button', class: unreadCount ? 'thread unread' : 'thread', data: { test: 'thread', id: thread.id }, on: { click } },
        el('span', { class: 'thread-title', dir: 'auto' }, title),
        el('bdi', { class: 'thread-time' }, shortTime(last?.createdAt ?? thread.createdAt, lang())),
        el('span', { class: 'thread-said', dir: 'auto' }, said),
        unreadCount > 0 && badge(unreadCount),
        isClosed && el('span', { class: 'tag' }, t('list.ended')),
      ),
    );
  }
}

function badge(count) {
  const spoken = el('span', { class: 'visually-hidden' }, t('list.unread', { count }));
  return el('span', { class: 'badge', data: { test: 'unread' } }, el('span', { 'aria-hidden': 'true' }, String(count)), spoken);
}
