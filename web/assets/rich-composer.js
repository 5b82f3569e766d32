/** Writing a rich message at the desk: answers to choose from, a list, or a link. */
import { ask } from './dialogs.js';
import { richContent } from './rich-form.js';

const KINDS = [['quickReplies', 'Answers to choose from'], ['listPicker', 'A list to choose from'], ['richLink', 'A link']];

/** @returns {Promise<{type: string, content: object}|undefined>}  undefined: nothing shall be sent */
export async function askRichMessage() {
  let problem;
  let given = {};
  for (;;) {
    given = await ask({
      title: 'Offer something',
      submit: 'Send',
      test: 'rich',
      fields: [
        { name: 'type', label: 'What', value: given.type, options: KINDS },
        { name: 'title', label: 'Title', value: given.title, required: true, maxLength: 1024 },
        { name: 'offer', label: 'Answers, separated by semicolons; or the address', value: given.offer, required: true, problem },
      ],
    });
    if (!given) return undefined;
    const content = richContent(given);
    if (content) return { type: given.type, content };
    problem = given.type === 'richLink' ? 'An address begins with https:// or http://.' : 'There is no answer to choose.';
  }
}
