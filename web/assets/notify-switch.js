/** "Notify me": the switch of a page that asks for permission. What follows from it is told by the notifier's `change`. */
import { note } from './dialogs.js';
import { el, icon, set, setText } from './dom.js';
import { texts } from './texts.js';

/** @param {{notifier: import('./notifier.js').Notifier, guard: (action: () => Promise<void>) => Promise<void>}} parts
 *  @returns {HTMLElement} */
export function notifySwitch({ notifier, guard }) {
  const state = el('span', { class: 'switch-state', 'aria-hidden': 'true' });
  const toggle = async () => {
    if (!(await notifier.toggle())) note(texts.page.notifyForbidden);
  };
  const element = el(
    'button',
    { type: 'button', role: 'switch', class: 'quiet person', data: { test: 'notify' }, on: { click: () => guard(toggle) } },
    icon('bell'),
    el('span', { class: 'switch-name' }, texts.page.notify),
    state,
  );
  const show = () => {
    element.hidden = !notifier.isPossible;
    set(element, 'aria-checked', String(notifier.isOn));
    setText(state, notifier.isOn ? texts.page.on : texts.page.off);
  };
  notifier.addEventListener('change', show);
  show();
  return element;
}
