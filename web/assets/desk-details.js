/** What the desk can do with a conversation as a whole: bring customers in, take them out, clear its history. */
import { showCustomer } from './desk-customer.js';
import { showDetails } from './details-dialog.js';
import { ask } from './dialogs.js';
import { iconButton, set } from './dom.js';
import { mayManage } from './login.js';
import { memberName } from './membership.js';
import { askRichMessage } from './rich-composer.js';
import { answers } from './survey.js';
import { texts } from './texts.js';

const PHONE = matchMedia('(max-width: 719px)'); // as in chat.css: its header has no room for all buttons
const ROOMY = matchMedia('(min-width: 900px)'); // as in desk.css: its header has room for two more
const WIDE = matchMedia('(min-width: 1200px)'); // as in chat.css: the customer stands beside the conversation

/** The buttons in the header. @param {{workspace: import('./workspace.js').Workspace,
 *  can: (channel: string, capability: string) => boolean,
 *  channel: (id: string) => import('../parley.js').Channel|undefined, customer: object,
 *  actions: import('./desk-actions.js').DeskActions}} parts  `customer`: what the view of the
 *  customer is made with
 *  @returns {(thread: object) => HTMLElement[]} */
export function deskDetails({ workspace, can, channel, customer, actions: acts }) {
  const actions = (thread) =>
    [
      !isOpen(thread) && { label: texts.notes.add, test: 'add-note', run: acts.note },
      !ROOMY.matches && acts.maySnooze(thread) && { label: texts.keys.snooze, test: 'snooze', run: acts.snooze },
      !ROOMY.matches && { label: texts.keys.tags, test: 'tag', run: acts.tag },
      mayOffer(thread) && { label: texts.desk.offer, test: 'offer', run: offer },
      PHONE.matches && isHeld(thread) && { label: texts.desk.transfer, test: 'transfer', run: transfer },
      PHONE.matches && isHeld(thread) && { label: backLabel(thread), test: 'release', run: acts.release },
      !WIDE.matches && { label: texts.desk.beside, test: 'others', run: async () => showCustomer(workspace.inbox, customer) },
      mayAdd(thread) && { label: texts.desk.addCustomer, test: 'add-member', run: addMember },
      mayManage() && can(thread.channel, 'historyReset') && {
        label: texts.desk.clear,
        test: 'reset-history',
        danger: true,
        run: resetHistory,
      },
    ].filter(Boolean);
  const isOpen = (thread) => thread.state !== 'closed';
  const isHeld = (thread) => Boolean(thread.agent) && isOpen(thread);
  const mayAdd = (thread) => can(thread.channel, 'members') && isOpen(thread);
  const mayOffer = (thread) => can(thread.channel, 'richMessages') && isOpen(thread);
  const backLabel = (thread) => (channel(thread.channel)?.mode === 'liveChat' ? texts.desk.requeue : texts.desk.release);

  async function offer() {
    const message = await askRichMessage();
    if (message) workspace.inbox.conversation?.outbox.add('', [], message);
  }

  /** The people who were at work, apart from the one that has this: name -> id. */
  async function colleagues(thread) {
    const { items } = await customer.parley.desk.agents.list();
    return new Map(items.filter(({ id, isBot }) => !isBot && id !== thread.agent.id).map(({ id, name }) => [name, id]));
  }

  async function transfer(thread) {
    const known = await colleagues(thread);
    let given = {};
    let problem;
    for (;;) {
      const proposed = [...known].map(([name, id]) => [name, id]);
      given = await ask({
        title: texts.desk.transferTitle,
        submit: texts.desk.transferSubmit,
        test: 'transfer',
        fields: [
          { name: 'name', label: texts.common.name, value: given.name, required: true, maxLength: 128, suggestions: proposed },
          { name: 'id', label: texts.desk.transferId, value: given.id, maxLength: 128, hint: texts.desk.transferIdHint, problem },
        ],
      });
      if (!given) return;
      const id = given.id || known.get(given.name);
      if (id) return void workspace.inbox.put(await workspace.inbox.side.assign(thread, { id, name: given.name }));
      problem = texts.desk.transferUnknown;
    }
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
    const text = texts.desk.removeMemberHint;
    const title = texts.desk.removeMemberTitle({ name: memberName(member) });
    const question = { title, text, submit: texts.desk.removeMemberSubmit, danger: true, test: 'remove-member' };
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
  const act = (action) => () => workspace.guard(action);
  const details = iconButton('people', texts.common.details, { data: { test: 'details' }, on: { click: show } });
  const over = iconButton('transfer', texts.desk.transfer, { data: { test: 'transfer' }, on: { click: act(transfer) } });
  const back = iconButton('release', '', { data: { test: 'release' }, on: { click: act(acts.release) } });
  const later = iconButton('clock', texts.keys.snooze, { class: 'icon-button roomy', data: { test: 'snooze' }, on: { click: act(acts.snooze) } });
  const tags = iconButton('tag', texts.keys.tags, { class: 'icon-button roomy', data: { test: 'tag' }, on: { click: act(acts.tag) } });
  return (thread) => {
    set(back, 'aria-label', backLabel(thread));
    set(back, 'title', backLabel(thread));
    if (PHONE.matches) return [details];
    return [details, tags, acts.maySnooze(thread) && later, ...(isHeld(thread) ? [over, back] : [])].filter(Boolean);
  };
}
