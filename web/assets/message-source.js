/**
 * What a conversation, or the replies to one of its messages, needs of its messages; `CollectedMessages` is it.
 *
 * @typedef {object} MessageSource
 * @property {readonly import('../parley.js').Message[]} items  ascending
 * @property {object[]} pending @property {object[]} failed  what the gateway has not yet sent on, or could not
 * @property {boolean} loaded @property {boolean} hasPrevious @property {boolean} hasNext
 * @property {(id: string) => boolean} has @property {(id: string) => object|undefined} get
 * @property {(start?: Start) => Promise<void>} open  begins anew; what there was stays until that is done
 * @property {(direction: 'previous'|'next') => Promise<void>} fetch
 * @property {(event: object) => void} take  of this thread, or of a collection
 * @property {(message: object) => boolean} isNews  of a `message.created`: whether it came after the opening
 * @property {(message: object) => void} upsert  an answer to a request @property {(id: string) => void} drop
 * @property {() => void} close
 *
 * @typedef {{at?: 'first'|'newest'|number, id?: string}} Start  `at`: a time in ms; `id`: the message that is meant
 */

/** Whether the conversation's own list shows a message. A reply may be shown only in its reply thread. */
export const isInConversation = (message) => !message.parentId || message.alsoInThread !== false;

/** A parent with new information about its replies, which the service has made. Older information is ignored. */
export function withReplyInfo(parent, info) {
  return parent.replyInfo && info && parent.replyInfo.updatedAt > info.updatedAt ? parent : { ...parent, replyInfo: info };
}
