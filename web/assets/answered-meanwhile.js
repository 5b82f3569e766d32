/** Two agents answer one customer: who was slower is told, sees what the other one wrote, and may send all the same. */
import { texts } from './texts.js';

const CODE = 'answeredMeanwhile';

/** The desk's side, whose messages are sent only while no other agent has written anything that the page has not shown.
 *  @param {import('./sides.js').Side} side @param {() => import('./conversation.js').Conversation|undefined} open */
export function answeringOnce(side, open) {
  return {
    ...side,
    // Not among replies: what is new in the conversation does not answer them.
    sending: (conversation) => (conversation.parent ? {} : { ifLatest: conversation.latest }),
    async send(thread, message) {
      try {
        return await side.send(thread, message);
      } catch (error) {
        if (error.code !== CODE) throw error;
        const conversation = open();
        if (conversation?.thread?.id === thread.id) show(conversation, error.errors.map(({ detail }) => detail).filter(Boolean)).catch((problem) => console.warn(problem));
        throw Object.assign(error, { detail: texts.collision.answered, again: texts.collision.sendAnyway });
      }
    },
  };
}

/** Their events may still be on their way: what the other one has written must be on show with the question. */
async function show(conversation, ids) {
  const missing = ids.filter((id) => !conversation.list.has(id));
  if (!missing.length) return;
  await conversation.notes?.load();
  for (const id of missing) {
    try {
      conversation.edited(await conversation.side.message(conversation.thread, id));
    } catch (error) {
      if (error.status !== 404) throw error; // a note is no message
    }
  }
}
