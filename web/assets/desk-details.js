/** What the desk can do with a conversation as a whole: bring customers in, take them out, clear its history. */
import { showDetails } from './details-dialog.js';
import { ask } from './dialogs.js';
import { iconButton } from './dom.js';
import { memberName } from './membership.js';
import { askRichMessage } from './rich-composer.js';
import { answers } from './survey.js';

/** The button in the header. @param {{workspace: import('./workspace.js').Workspace,
 *  can: (channel: string, capability: string) => boolean,
 *  channel: (id: string) => import('../parley.js').Channel|undefined}} parts */
export function deskDetails({ workspace, can, channel }) {
  const actions = (thread) =>
    [
      mayOffer(thread) && { label: 'Offer answers or a link', test: 'offer', run: offer },
      thread.agent && isOpen(thread) && { label: 'Hand over to somebody else', test: 'hand-over', run: handOver },
      thread.agent && isOpen(thread) && { label: backLabel(thread), test: 'release', run: release },
      mayAdd(thread) && { label: 'Add a customer', test: 'add-member', run: addMember },
      can(thread.channel, 'historyReset') && {
        label: 'Clear the history',
        test: 'reset-history',
        danger: true,
        run: resetHistory,
      },
    ].filter(Boolean);
  const isOpen = (thread) => thread.state !== 'closed';
  const mayAdd = (thread) => can(thread.channel, 'members') && isOpen(thread);
  const mayOffer = (thread) => can(thread.channel, 'richMessages') && isOpen(thread);
  const backLabel = (thread) => (channel(thread.channel)?.mode === 'liveChat' ? 'Back into the queue' : 'Assign to nobody');

  async function offer() {
    const message = await askRichMessage();
    if (message) workspace.inbox.conversation?.outbox.add('', [], message);
  }

  async function handOver(thread) {
    const fields = [
      { name: 'name', label: 'Name', required: true, maxLength: 128 },
      { name: 'id', label: 'Id', required: true, maxLength: 128, hint: 'The id that this agent uses at the desk' },
    ];
    const answer = await ask({ title: 'Hand this conversation over', submit: 'Hand over', test: 'hand-over', fields });
    if (answer) workspace.inbox.put(await workspace.inbox.side.assign(thread, answer));
  }

  async function release(thread) {
    workspace.inbox.put(await workspace.inbox.side.release(thread));
  }

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
    const text = 'All messages up to now are removed for everybody, for ever.';
    const question = { title: 'Clear the history?', text, submit: 'Clear', danger: true, test: 'reset-history' };
    if (await ask(question)) await workspace.inbox.side.resetHistory(thread);
  }

  const show = () => {
    const { thread } = workspace.inbox.conversation;
    const facts = ({ customFields }) => answers(channel(thread.channel), customFields);
    showDetails(workspace.inbox, { actions, facts, removeMember: can(thread.channel, 'members') ? removeMember : undefined });
  };
  return iconButton('people', 'Details', { data: { test: 'details' }, on: { click: show } });
}
