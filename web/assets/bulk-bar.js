/** What can be done with all conversations that are chosen: a bar above the list. */
import { el, setText } from './dom.js';
import { ask } from './dialogs.js';
import { texts } from './texts.js';

/** @param {{selection: import('./thread-selection.js').ThreadSelection, actions: () => import('./desk-actions.js').DeskActions,
 *           workspace: () => import('./workspace.js').Workspace}} parts @returns {HTMLElement} */
export function bulkBar({ selection, actions, workspace }) {
  const chosen = () => selection.keys.map((key) => workspace().inbox.index.get(key)).filter(Boolean);
  const button = (label, test, run) => {
    const click = () =>
      workspace().guard(async () => {
        if (await run(chosen())) selection.end();
      });
    return el('button', { type: 'button', class: 'quiet', data: { test }, on: { click } }, label);
  };
  const count = el('p', { role: 'status', data: { test: 'selected' } });
  const acting = [
    button(texts.desk.assign, 'bulk-assign', async (threads) => (await actions().assignAll(threads), true)),
    button(texts.tags.add, 'bulk-tag', async (threads) => (await actions().tagAll(threads), true)),
    button(texts.common.close, 'bulk-close', async (threads) => {
      const question = { title: texts.selection.close({ count: threads.length }), submit: texts.desk.closeSubmit, danger: true, test: 'bulk-close' };
      if (!(await ask(question))) return false;
      await actions().closeAll(threads);
      return true;
    }),
  ];
  const all = button(texts.selection.all, 'select-all', async () => {
    for (const key of workspace().list.keys) if (!selection.has(key)) selection.toggle(key);
  });
  const done = el('button', { type: 'button', class: 'quiet', data: { test: 'select-end' }, on: { click: () => selection.end() } }, texts.common.done);
  const bar = el('div', { class: 'bulk', role: 'group', 'aria-label': texts.selection.what, hidden: true }, count, ...acting, all, done);
  selection.addEventListener('change', () => {
    const { length } = selection.keys;
    bar.hidden = !selection.isOn;
    setText(count, texts.selection.count({ count: length }));
    for (const one of acting) one.disabled = length === 0;
  });
  return bar;
}
