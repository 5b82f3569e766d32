/** The form of what a channel asks before a conversation begins. */
import { ask } from './dialogs.js';
import { problemsByField, question } from './survey.js';
import { texts } from './texts.js';

/**
 * Asks until the gateway accepts the answers. An answer that it refuses is marked at its question.
 *
 * @template T
 * @param {import('../parley.js').Survey} survey
 * @param {(answers: Record<string, string>) => Promise<T>} begin
 * @returns {Promise<T|undefined>}  undefined: the customer has left it
 */
export async function askSurvey(survey, begin) {
  let answers = {};
  let problems = new Map();
  for (;;) {
    const fields = survey.fields.map((field, at) => question(field, at, answers[field.ident], problems.get(field.ident)));
    const given = await ask({ title: survey.name, submit: texts.survey.start, test: 'survey', fields });
    if (!given) return undefined;
    const pairs = survey.fields.map(({ ident }, at) => [ident, given[`survey-${at}`]]).filter(([, value]) => value);
    answers = Object.fromEntries(pairs);
    try {
      return await begin(answers);
    } catch (error) {
      problems = problemsByField(error);
      if (!problems.size) throw error;
    }
  }
}
