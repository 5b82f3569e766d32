/** What the desk can do with a conversation as a whole: bring customers in, take them out, clear its history. */
import { showDetails } from './details-dialog.js';
import { ask } from './dialogs.js';
import { iconButton } from './dom.js';
import { memberName } from './membership.js';
import { askRichMessage } from './rich-composer.js';
import { answers } from './survey.js';
import { texts } from './texts.js';

/** The button in the header. @param {{workspace: import('./workspace.js').Workspace,
 *  can: (channel: string, capability: string) => boolean,
 *  channel: (id: string) => import('../parley.js').Channel|undefined}} parts */
export function deskDetails({ workspace, can, channel }) {
  const actions = (thread) =>
    [
      mayOffer(thread) && { label: texts.desk.offer, test: 'offer', run: offer },
      thread.agent && isOpen(thread) && { label: texts.desk.handOver, test: 'hand-over', run: handOver },
      thread.agent && isOpen(thread) && { label: backLabel(thread), test: 'release', run: release },
      mayAdd(thread) && { label: texts.desk.addCustomer, test: 'add-member', run: addMember },
      can(thread.channel, 'historyReset') && {
        label: texts.desk.clear,
        test: 'reset-history',
        danger: true,
        run: resetHistory,
      },
    ].filter(Boolean);
  const isOpen = (thread) => thread.state !== 'closed';
  const mayAdd = (thread) => can(thread.channel, 'members') && isOpen(thread);
  const mayOffer = (thread) => can(thread.channel, 'richMessages') && isOpen(thread);
  const backLabel = (thread) => (channel(thread.channel)?.mode === 'liveChat' ? texts.desk.requeue : texts.desk.release);

  async function offer() {
    const message = await askRichMessage();
    if (message) workspace.inbox.conversation?.outbox.add('', [], message);
  }

  async function handOver(thread) {
    const fields = [
      { name: 'name', label: texts.common.name, required: true, maxLength: 128 },
      { name: 'id', label: texts.desk.handOverId, required: true, maxLength: 128, hint: texts.desk.handOverIdHint },
    ];
    const answer = await ask({ title: texts.desk.handOverTitle, submit: texts.desk.handOverSubmit, test: 'hand-over', fields });
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
      title: texts.desk.addCustomer,
      submit: texts.common.add,
      test: 'add-member',
      fields: [
        { name: 'id', label: texts.desk.addId, required: true, maxLength: 128, suggestions: others(thread) },
        { name: 'memberState', label: texts.desk.addHow, options: [['invited', texts.desk.addInvited], ['joined', texts.desk.addJoined]] },
      ],
    });
    if (answer) workspace.inbox.put(await workspace.inbox.side.addMember(thread, answer));
  }

  async function removeMember(thread, member) {
    const text = texts.desk.takeOutHint;
    const title = texts.desk.takeOutTitle(memberName(member));
    const question = { title, text, submit: texts.desk.takeOutSubmit, danger: true, test: 'remove-member' };
    if (await ask(question)) await workspace.inbox.side.removeMember(thread, member.id);
  }

  async function resetHistory(thread) {
    const text = texts.desk.clearHint;
    const question = { title: texts.desk.clearTitle, text, submit: texts.desk.clearSubmit, danger: true, test: 'reset-history' };
    if (await ask(question)) await workspace.inbox.side.resetHistory(thread);
  }

  const show = () => {
    const { thread } = workspace.inbox.conversation;
    const facts = ({ customFields }) => answers(channel(thread.channel), customFields);
    showDetails(workspace.inbox, { actions, facts, removeMember: can(thread.channel, 'members') ? removeMember : undefined });
  };
  return iconButton('people', texts.common.details, { data: { test: 'details' }, on: { click: show } });
}
