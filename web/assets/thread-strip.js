/** Below the header of a conversation at the desk: its tags, how long it waits or is put off, and who else is at it. */
import { el, set, setText } from './dom.js';
import { listed, slotTime } from './format.js';
import { tagChips } from './tag-chips.js';
import { texts } from './texts.js';

export class ThreadStrip {
  /** @param {{tags: import('./tag-book.js').TagBook, colleagues: import('./colleagues.js').Colleagues, me: () => string|undefined,
   *           waits: (thread: object) => string|undefined}} parts */
  constructor({ tags, colleagues, me, waits }) {
    Object.assign(this, { tags, colleagues, me, waits });
    this.chips = el('span', { class: 'chips', data: { test: 'tags' } });
    this.facts = el('span', { class: 'strip-facts', data: { test: 'strip-facts' } });
    this.others = el('span', { class: 'strip-others', dir: 'auto', role: 'status', data: { test: 'colleagues' } });
    this.element = el('div', { class: 'strip', data: { test: 'strip' } }, this.chips, this.facts, this.others);
  }

  /** @param {import('./conversation.js').Conversation|undefined} conversation */
  render(conversation) {
    const { thread } = conversation ?? {};
    if (!thread) return;
    const tags = this.tags.of(thread);
    tagChips(this.chips, tags);
    this.chips.hidden = tags.length === 0;
    const snoozed = thread.snooze && texts.snooze.is({ time: slotTime(thread.snooze.until), name: thread.snooze.by?.name ?? texts.people.agent });
    setText(this.facts, [this.waits(thread), snoozed].filter(Boolean).join(' · '));
    this.facts.hidden = !this.facts.textContent;
    const others = this.colleagues.at(conversation.key, this.me());
    setText(this.others, said(others));
    set(this.others, 'data-writing', others.some(({ isWriting }) => isWriting));
    this.element.classList.toggle('empty-strip', !tags.length && !this.facts.textContent && !others.length);
  }
}

/** "Maria is writing", "Maria and Ole are looking": those who write come first, and alone. */
function said(others) {
  const writing = others.filter(({ isWriting }) => isWriting);
  const names = (writing.length ? writing : others).map(({ name }) => name);
  if (!names.length) return '';
  const words = writing.length ? texts.collision.writing : texts.collision.looking;
  return words({ names: listed(names), count: names.length });
}
