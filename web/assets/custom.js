/**
 * An example: the chat page with two of its modules replaced. The theme everywhere, the message bubble only in the thread panel.
 * Modules are replaced before the page's own script runs.
 */
import { MessageView } from './message-view.js';
import { replaceModule } from './modules.js';

replaceModule('theme', () => ({
  '--accent': ['#7a1f5c', '#f0a3d5'],
  '--accent-strong': ['#5d1546', '#f7c1e4'],
  '--on-accent': ['#ffffff', '#3a0529'],
  '--own': ['#f6dcec', '#54203f'],
  '--own-ink': ['#3d0a2b', '#fbe6f4'],
  '--own-muted': ['#7a4a68', '#d9adc8'],
}));

/** Replies as plain lines, all on one side, each with its author's name. */
class PlainMessage extends MessageView {
  update(message, how) {
    super.update(message, { ...how, isMe: false });
    this.element.classList.add('plain');
  }
}

replaceModule('messageBubble', (...parts) => new PlainMessage(...parts), 'thread');

await import('./chat-page.js');
