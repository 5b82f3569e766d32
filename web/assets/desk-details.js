/** What the desk can do with a conversation as a whole: bring customers in, take them out, clear its history. */
import { showDetails } from './details-dialog.js';
import { ask } from './dialogs.js';
import { iconButton } from './dom.js';
import { memberName } from './membership.js';

/** The button in the header. @param {{workspace: import('./workspace.js').Workspace,
 *  can: (channel: string, capability: string) => boolean}} parts */
export function deskDetails({ workspace, can }) {
  const actions = (thread) =>
    [
      mayAdd(thread) && { label: 'Add a customer', test: 'add-member', run: addMember },
      can(thread.channel, 'historyReset') && {
        label: 'Clear the history',
        test: 'reset-history',
        danger: true,
        run: resetHistory,
      },
    ].filter(Boolean);
  const mayAdd = (thread) => can(thread.channel, 'members') && thread.state !== 'closed';

  /** The customers of this channel that are known here and not yet in it. */
  function others(thread) {
    const there = new Set(thread.members.map(({ id }) => id));
    const known = new Map();
    for (const { channel, members } of workspace.inbox.index.list()) {
      if (channel === thread.channel) for (const one of members) if (!there.has(one.id)) known.set(one.id, memberName(one));
    }
    return [...known];
  }

  async function addMember(thread) {
    const answer = await ask({
      title: 'Add a customer',
      submit: 'Add',
      test: 'add-member',
      fields: [
        { name: 'id', label: 'Customer\u2019s id', required: true, maxLength: 128, suggestions: others(thread) },
        { name: 'memberState', label: 'How', options: [['invited', 'Invite: may read, and join'], ['joined', 'Add at once']] },
      ],
    });
    if (answer) workspace.inbox.put(await workspace.inbox.side.addMember(thread, answer));
  }

  async function removeMember(thread, member) {
    const text = 'The conversation disappears from this customer\u2019s list.';
    const title = `Take ${memberName(member)} out?`;
    const question = { title, text, submit: 'Take out', danger: true, test: 'remove-member' };
    if (await ask(question)) await workspace.inbox.side.removeMember(thread, member.id);
  }

  async function resetHistory(thread) {
    const text = 'What was said up to now is removed for everybody, for good.';
    const question = { title: 'Clear the history?', text, submit: 'Clear', danger: true, test: 'reset-history' };
    if (await ask(question)) await workspace.inbox.side.resetHistory(thread);
  }

  const show = () => {
    const { thread } = workspace.inbox.conversation;
    showDetails(workspace.inbox, { actions, removeMember: can(thread.channel, 'members') ? removeMember : undefined });
  };
  return iconButton('people', 'Details', { data: { test: 'details' }, on: { click: show } });
}
