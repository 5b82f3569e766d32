/** Below a message that has replies: who wrote them, and how many there are. */
import { el, place, set, setText } from './dom.js';
import { initials, listed, replyCount, tint } from './format.js';
import { texts } from './texts.js';

const MOST_AUTHORS = 5;

export class ReplyLine {
  /** @param {() => void} open */
  constructor(open) {
    this.authors = el('span', { class: 'reply-authors', 'aria-hidden': 'true' });
    this.count = el('span', { data: { test: 'reply-count-text' } });
    this.element = el(
      'button',
      { type: 'button', class: 'reply-line', hidden: true, data: { test: 'reply-count' }, on: { click: open } },
      this.authors,
      this.count,
    );
  }

  /** @param {import('../parley.js').ReplyInfo} [info] */
  update(info) {
    const count = info?.count ?? 0;
    this.element.hidden = count === 0;
    if (count === 0) return;
    setText(this.count, replyCount(count));
    const authors = (info.mostReplies ?? []).slice(0, MOST_AUTHORS);
    set(this.element, 'title', listed(authors.map((author) => author.name).filter(Boolean)) || undefined);
    place(this.authors, authors.map((author) => authorImage(author)));
  }
}

/** The avatar of a message's author. @param {import('../parley.js').Author} author */
export function authorImage(author) {
  const name = author.name || (author.kind === 'customer' ? texts.people.customer : texts.people.agent);
  return el('span', { class: `avatar small tint-${tint(author.id ?? name)}`, data: { test: 'reply-author' } }, initials(name));
}
