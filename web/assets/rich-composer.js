/** Writing a rich message at the desk: answers to choose from, a list, times, or a link. */
import { ask } from './dialogs.js';
import { richContent } from './rich-form.js';

const KINDS = [['quickReplies', 'Answers to choose from'], ['listPicker', 'A list to choose from'], ['timePicker', 'Times to choose from'],
  ['richLink', 'A link']];

const PROBLEMS = {
  richLink: 'An address begins with https:// or http://.',
  timePicker: 'Write a time as 2026-05-04 09:30; you may add its length in minutes.',
};

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
        { name: 'offer', label: 'Answers or times (2026-05-04 09:30), separated by semicolons; or the address', value: given.offer, required: true, problem },
      ],
    });
    if (!given) return undefined;
    const content = richContent(given);
    if (content) return { type: given.type, content };
    problem = PROBLEMS[given.type] ?? 'There is no answer to choose.';
  }
}
