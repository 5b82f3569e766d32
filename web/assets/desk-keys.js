/** The desk by single keys: which key does what. */
import { showKeySheet } from './key-sheet.js';
import { Shortcuts } from './shortcuts.js';

/** Listens from now on. @param {{workspace: import('./workspace.js').Workspace, actions: import('./desk-actions.js').DeskActions,
 *  selection: import('./thread-selection.js').ThreadSelection, settings: import('./person-settings.js').PersonSettings,
 *  filter: (name: string) => void}} parts  `filter`: shows open conversations of this kind */
export function listenToKeys({ workspace, actions, selection, settings, filter }) {
  const { list, search, view } = workspace;
  const thread = () => workspace.inbox?.conversation?.thread;

  /** Does something with the open conversation, if it can be done. */
  const act = (action, may = () => true) => () => {
    if (!thread() || !may(thread())) return false;
    workspace.guard(action);
  };

  const rows = () => [...workspace.element.querySelectorAll('.sidebar .thread')].filter((row) => row.checkVisibility());
  const step = (by) => () => {
    const all = rows();
    if (!all.length) return false;
    const held = all.indexOf(document.activeElement);
    const at = held >= 0 ? held : all.findIndex((row) => row.hasAttribute('aria-current'));
    const to = at < 0 ? 0 : at + by;
    if (to >= all.length && workspace.inbox.hasMore(workspace.inbox.state)) workspace.inbox.loadMore();
    all[Math.max(0, Math.min(all.length - 1, to))].focus();
  };

  /** Where nothing else takes it. */
  const open = ({ target }) => {
    if (target.closest?.('button, a, summary, [role=option], input')) return false;
    const row = rows().find((one) => one.tabIndex === 0) ?? rows()[0];
    if (!row) return false;
    row.click();
  };

  const reply = () => {
    if (!thread() || view.composer.form.hidden) return false;
    view.focusComposer();
  };

  const choose = (how) => () => {
    const { current } = list;
    if (!current || list.element.hidden) return false;
    how(current);
  };

  const keys = new Shortcuts(
    {
      j: step(1),
      k: step(-1),
      Enter: open,
      r: reply,
      n: act(actions.note),
      a: act(actions.assign, actions.mayAssign),
      u: act(actions.release, actions.mayRelease),
      e: act(actions.close, actions.mayClose),
      o: act(actions.reopen, actions.mayReopen),
      z: act(actions.snooze, actions.maySnooze),
      t: act(actions.tag),
      x: choose((key) => selection.toggle(key)),
      X: choose((key) => selection.extend(key, list.keys)),
      '/': () => search.input.checkVisibility() && search.input.focus(),
      '?': () => showKeySheet(settings),
      'g w': () => filter('waiting'),
      'g m': () => filter('mine'),
      'g o': () => filter('all'),
      Escape: () => (selection.isOn ? selection.end() : false),
    },
    { isOn: () => settings.get('keys') },
  );
  document.addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]') || workspace.element.inert || !workspace.inbox) return;
    keys.take(event);
  });
}
