/** Who takes part in a conversation, and what one can do with it as a whole: a dialog that follows the conversation. */
import { noteProblem } from './dialogs.js';
import { el, iconButton, place, setText } from './dom.js';
import { memberName } from './membership.js';
import { texts } from './texts.js';

/** @typedef {{label: string, test: string, danger?: boolean, run: (thread: object) => Promise<void>}} Action */

/**
 * @param {import('./inbox.js').Inbox} inbox  its open conversation is meant
 * @param {{actions: (thread: object) => Action[], facts?: (thread: object) => [string, string][],
 *          removeMember?: (thread: object, member: object) => Promise<void>}} options
 *   `facts`: what is noted of it. `actions`: buttons below the list; one closes the dialog and runs. `removeMember`: for who may take others out
 */
export function showDetails(inbox, { actions, facts = () => [], removeMember }) {
  const { conversation, side } = inbox;
  const end = new AbortController();
  const heading = el('h2', { id: 'dialog-details' });
  const list = el('ul', { class: 'members', 'aria-label': texts.details.members, data: { test: 'members' } });
  const noted = el('dl', { class: 'facts', data: { test: 'facts' } });
  const buttons = el('div', { class: 'details-actions' });
  const close = el(
    'button',
    { type: 'button', class: 'primary', data: { test: 'details-close' }, on: { click: () => dialog.close() } },
    texts.common.done,
  );
  const dialog = el(
    'dialog',
    { 'aria-labelledby': heading.id, data: { test: 'details-dialog' } },
    heading,
    list,
    noted,
    buttons,
    el('div', { class: 'dialog-buttons' }, el('span', { class: 'spacer' }), close),
  );
  const rows = new Map(); // member's id -> element

  function row(member, thread) {
    const known = rows.get(member.id);
    if (known) return known;
    const isMe = side.isMe({ kind: 'customer', id: member.id });
    const remove = () => removeMember(conversation.thread, member).catch(noteProblem);
    const label = texts.details.removeMember({ name: memberName(member) });
    return el(
      'li',
      { data: { test: 'member', id: member.id } },
      el('span', { class: 'member-name', dir: 'auto' }, memberName(member)),
      isMe && el('span', { class: 'tag' }, thread.memberState === 'invited' ? texts.details.youInvited : texts.common.you),
      removeMember && iconButton('close', label, { data: { test: 'member-remove' }, on: { click: remove } }),
    );
  }

  function render() {
    const { thread } = conversation;
    if (!thread || inbox.conversation !== conversation) return dialog.close();
    setText(heading, side.title(thread));
    const shown = thread.members.map((member) => [member.id, row(member, thread)]);
    rows.clear();
    for (const [id, element] of shown) rows.set(id, element);
    place(list, [...rows.values()]);
    const pairs = facts(thread);
    noted.hidden = !pairs.length;
    if (JSON.stringify(pairs) !== noted.dataset.shown) noted.replaceChildren(...pairs.flatMap(fact));
    noted.dataset.shown = JSON.stringify(pairs);
  }

  for (const { label, test, danger, run } of actions(conversation.thread)) {
    const click = () => {
      dialog.close();
      run(conversation.thread).catch(noteProblem);
    };
    const style = danger ? 'quiet danger-text' : 'quiet';
    buttons.append(el('button', { type: 'button', class: style, data: { test }, on: { click } }, label));
  }
  conversation.addEventListener('change', render, { signal: end.signal });
  inbox.addEventListener('open', render, { signal: end.signal });
  dialog.addEventListener('close', () => {
    end.abort();
    dialog.remove();
  });
  render();
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}

const fact = ([label, value]) => [el('dt', {}, label), el('dd', { dir: 'auto' }, value)];
