/** Writing a rich message at the desk: answers to choose from, a list, times, or a link. */
import { ask } from './dialogs.js';
import { richContent } from './rich-form.js';
import { texts } from './texts.js';

const KINDS = [['quickReplies', texts.offer.quickReplies], ['listPicker', texts.offer.listPicker], ['timePicker', texts.offer.timePicker],
  ['richLink', texts.offer.richLink]];

const PROBLEMS = {
  richLink: texts.offer.noLink,
  timePicker: texts.offer.noTime,
};

/** @returns {Promise<{type: string, content: object}|undefined>}  undefined: nothing shall be sent */
export async function askRichMessage() {
  let problem;
  let given = {};
  for (;;) {
    given = await ask({
      title: texts.offer.windowTitle,
      submit: texts.common.send,
      test: 'rich',
      fields: [
        { name: 'type', label: texts.offer.kind, value: given.type, options: KINDS },
        { name: 'title', label: texts.offer.title, value: given.title, required: true, maxLength: 1024 },
        { name: 'offer', label: texts.offer.content, value: given.offer, required: true, problem },
      ],
    });
    if (!given) return undefined;
    const content = richContent(given);
    if (content) return { type: given.type, content };
    problem = PROBLEMS[given.type] ?? texts.offer.noAnswer;
  }
}
