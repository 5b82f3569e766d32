/** What an agent does with a conversation, or with several: by buttons, by keys, and for all that are chosen. */
import { ask, note } from './dialogs.js';
import { nextThread } from './next-thread.js';
import { askSnooze } from './snooze-dialog.js';
import { pickTags } from './tag-picker.js';
import { texts } from './texts.js';

const AT_ONCE = 4; // requests for many conversations

export class DeskActions {
  /** @param {{workspace: import('./workspace.js').Workspace, agent: () => {id: string, name: string}|undefined,
   *           channelOf: (id: string) => import('../parley.js').Channel|undefined, tags: import('./tag-book.js').TagBook,
   *           settings: import('./person-settings.js').PersonSettings, channel: () => string|undefined}} parts
   *    `channel`: the only one that is looked at */
  constructor(parts) {
    Object.assign(this, parts);
  }

  get #side() {
    return this.workspace.inbox.side;
  }

  isMine = (thread) => thread.agent !== undefined && thread.agent.id === this.agent()?.id;

  isLive = (thread) => this.channelOf(thread.channel)?.mode === 'liveChat';

  /** What can be done with it now. */
  mayAssign = (thread) => thread.state !== 'closed' && !this.isMine(thread);
  mayRelease = (thread) => thread.state !== 'closed' && thread.agent !== undefined;
  mayClose = (thread) => thread.state !== 'closed';
  mayReopen = (thread) => thread.state === 'closed' && !this.isLive(thread);
  maySnooze = (thread) => thread.state !== 'closed' && !this.isLive(thread);

  assign = async (thread) => this.#put(await this.#side.assign(thread, this.agent()));

  release = async (thread) => this.#put(await this.#side.release(thread));

  reopen = async (thread) => this.#put(await this.#side.reopen(thread));

  wake = async (thread) => this.#put(await this.#side.wake(thread));

  /** In a dialog of its own, so that no note is sent to the customer by mistake. */
  note = async () => {
    const { conversation } = this.workspace.inbox;
    const field = { name: 'text', label: texts.notes.text, type: 'lines', required: true, maxLength: 20_000, hint: texts.notes.hint };
    const answer = await ask({ title: texts.notes.add, submit: texts.common.save, test: 'note', fields: [field] });
    if (answer?.text) await conversation.notes.add(answer.text);
  };

  /** A live chat cannot be opened again: whoever closes one is asked first. */
  close = async (thread) => {
    const question = { title: texts.desk.closeTitle, text: texts.desk.closeHint, submit: texts.desk.closeSubmit, danger: true, test: 'close' };
    if (this.isLive(thread) && !(await ask(question))) return;
    this.#put(await this.#side.close(thread));
    if (this.settings.get('next')) await this.next(thread);
    else this.workspace.view.refresh();
  };

  /** Opens the conversation that waits the longest. @param {object} [before]  what was just left */
  next = async (before) => {
    const { inbox, parley } = this.workspace;
    const left = before && inbox.side.key(before);
    const except = (thread) => inbox.side.key(thread) === left;
    const thread = await nextThread(parley.desk.threads, { agent: this.agent()?.id, channel: this.channel(), except });
    if (!thread) return note(texts.keys.noNext);
    await this.workspace.open(inbox.put(thread));
  };

  snooze = async (thread) => {
    const answer = await askSnooze(thread.snooze);
    if (!answer) return;
    this.#put(await (answer.wake ? this.#side.wake(thread) : this.#side.snooze(thread, answer)));
  };

  tag = async (thread) => {
    const chosen = await pickTags(this.tags, thread.tags ?? []);
    if (chosen) this.#put(await this.#side.setTags(thread, chosen));
  };

  /** Does one thing with many, a few at a time; says how many it did not work for. @param {object[]} threads
   *  @param {(thread: object) => Promise<unknown>} action */
  async each(threads, action) {
    const left = [...threads];
    let failed = 0;
    const work = async () => {
      for (let thread; (thread = left.shift()); ) {
        try {
          await action(thread);
        } catch (error) {
          console.warn(error);
          failed += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failed) note(texts.selection.failed({ count: failed }));
  }

  closeAll = (threads) => this.each(threads.filter(this.mayClose), async (thread) => this.#put(await this.#side.close(thread)));

  assignAll = (threads) => this.each(threads.filter(this.mayAssign), this.assign);

  /** Adds tags to each: what a conversation has already stays. */
  tagAll = async (threads) => {
    const chosen = await pickTags(this.tags, [], { adds: true });
    if (!chosen?.length) return;
    await this.each(threads, async (thread) => this.#put(await this.#side.setTags(thread, [...new Set([...(thread.tags ?? []), ...chosen])])));
  };

  #put(thread) {
    this.workspace.inbox?.put(thread);
  }
}
