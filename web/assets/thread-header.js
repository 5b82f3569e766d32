/** The head of the thread panel: its title, and the conversation's name, which leads back to the parent message. */
import { el, iconButton, set, setText } from './dom.js';
import { texts } from './texts.js';

export class ThreadHeader {
  /** The module `threadHeader`. @param {{close: () => void, toParent: () => void}} parts */
  constructor({ close, toParent }) {
    this.name = el('button', { type: 'button', class: 'panel-name', dir: 'auto', data: { test: 'panel-name' }, on: { click: toParent } });
    this.element = el(
      'header',
      { class: 'conversation-header panel-header' },
      iconButton(
        'back',
        texts.replies.back,
        { class: 'icon-button panel-back', data: { test: 'panel-back' }, on: { click: close } },
      ),
      el('div', { class: 'titles' }, el('h2', { data: { test: 'panel-title' } }, texts.replies.title), this.name),
      iconButton(
        'close',
        texts.replies.close,
        { class: 'icon-button panel-close', data: { test: 'panel-close' }, on: { click: close } },
      ),
    );
  }

  /** @param {{name: string}} shown */
  update({ name }) {
    setText(this.name, name);
    set(this.name, 'title', texts.replies.showParent({ name }));
  }
}
