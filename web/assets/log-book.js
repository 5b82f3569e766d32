/** The events of the log as the inspector keeps them: as text, so that many fit, and without what was removed. */

/** The most events that are kept; the oldest go first. */
export const MOST = 100_000;
/** So many go at once, so that not every event moves all others. */
const SLACK = 5000;

/**
 * @typedef {{id: string, cursor?: string, type: string, at?: string, thread?: string, message?: string, account?: string,
 *   words: string, json: string, isRedacted: boolean}} LoggedRow
 */

export class LogBook {
  /** All rows. @type {LoggedRow[]} */
  rows = [];
  /** Those that the filter lets through. @type {LoggedRow[]} */
  shown = [];
  #filter = () => true;
  #count = 0;
  #most;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** @param {{thread?: string, account?: string, text?: string}} filter  what rows must have; the text anywhere, in any case */
  filter({ thread, account, text }) {
    const wanted = text && new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
    this.#filter = (row) =>
      (!thread || row.thread === thread) && (!account || row.account === account || row.account?.endsWith(`/${account}`)) &&
      (!wanted || wanted.test(row.json));
    this.shown = this.rows.filter(this.#filter);
  }

  clear() {
    this.rows = [];
    this.shown = [];
  }

  /** @param {{id?: string, type: string, data: object}} event */
  add(event) {
    const row = rowOf(event, (this.#count += 1));
    this.rows.push(row);
    if (this.#filter(row)) this.shown.push(row);
    if (event.type === 'message.removed') this.#redact((one) => one.message === row.message && one !== row);
    if (event.type === 'thread.removed') this.#redact((one) => one.thread === row.thread && one.message !== undefined);
    if (this.rows.length > this.#most + SLACK) {
      const gone = new Set(this.rows.splice(0, this.rows.length - this.#most));
      this.shown = this.shown.filter((one) => !gone.has(one));
    }
  }

  /** Takes the texts out of these rows: nobody is to read here what was removed. */
  #redact(concerns) {
    let hasChanged = false;
    this.rows = this.rows.map((row) => {
      if (row.isRedacted || !concerns(row)) return row;
      hasChanged = true;
      return { ...row, isRedacted: true, words: '', json: redacted(row) };
    });
    if (hasChanged) this.shown = this.rows.filter(this.#filter);
  }
}

function rowOf({ id, type, data }, number) {
  const message = data.message ?? data.thread?.lastMessage;
  const thread = data.threadId ?? data.thread?.id;
  const owner = data.thread?.customer ? data.thread : data;
  const messageID = data.messageId ?? message?.id;
  return {
    id: `${number}`,
    cursor: id,
    type,
    at: data.loggedAt ?? message?.createdAt,
    thread,
    message: messageID && `${owner.customer?.id ?? ''}\n${thread}\n${messageID}`,
    account: owner.customer && [owner.channel, owner.customer.id].filter(Boolean).join('/'),
    words: words(data),
    json: JSON.stringify(data),
    isRedacted: false,
  };
}

/** What happened, in a few words of the data. */
function words({ message, thread, isTyping, author, state, reason, code, notification }) {
  if (message) return [message.author?.name, message.text ?? message.attachments?.map(({ name }) => name).join(', ')].filter(Boolean).join(': ');
  if (thread) return [thread.name, thread.state, thread.lastMessage?.text].filter(Boolean).join(' · ');
  return [author?.name, isTyping, state, reason, code, notification?.text].filter((one) => one !== undefined).join(' ');
}

function redacted({ thread, message, json }) {
  const { loggedAt, channel, customer, threadId } = JSON.parse(json);
  return JSON.stringify({ loggedAt, channel, customer, threadId: threadId ?? thread, messageId: message?.split('\n').at(-1) });
}
