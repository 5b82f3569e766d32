/** What a channel asks before a conversation, as a form. */
import { el, place, set, setText, show } from './dom.js';
import { choices, mistakes } from './survey-fields.js';
import { t } from './texts.js';

export class SurveyView {
  #fields = [];
  #rows = [];
  #send;

  /** @param {(answers: Record<string, string>) => Promise<Map<string, string>|undefined>} send  resolves with what is wrong */
  constructor(send) {
    this.#send = send;
    this.title = el('h2', { dir: 'auto', tabindex: '-1' });
    this.box = el('div', { class: 'fields' });
    this.problem = el('p', { class: 'problem', hidden: true, data: { test: 'survey-problem' } });
    this.submit = el('button', { class: 'primary wide', data: { test: 'survey-submit' } }, t('survey.start'));
    this.element = el(
      'form',
      { class: 'screen survey', novalidate: true, data: { test: 'survey' }, on: { submit: (event) => (event.preventDefault(), this.#submit()) } },
      this.title,
      this.box,
      this.problem,
      this.submit,
    );
  }

  /** @param {{name?: string, fields: object[]}} survey @param {Record<string, string>} [known]  answers that the host page gives */
  show(survey, known = {}) {
    setText(this.title, survey.name || t('survey.intro'));
    if (this.#fields === survey.fields) return;
    this.#fields = survey.fields;
    this.#rows = survey.fields.map((field, at) => new Row(field, at, known[field.ident]));
    place(this.box, this.#rows.map(({ element }) => element));
  }

  focus() {
    this.#rows[0]?.input.focus({ preventScroll: true });
  }

  /** @param {string} [text] */
  complain(text) {
    show(this.problem, text);
  }

  async #submit() {
    const given = this.#rows.map(({ ident, input }) => [ident, input.value.trim()]).filter(([, value]) => value);
    const answers = Object.fromEntries(given);
    if (this.#mark(mistakes(this.#fields, answers))) return;
    this.submit.disabled = true;
    this.complain();
    try {
      this.#mark((await this.#send(answers)) ?? new Map());
    } finally {
      this.submit.disabled = false;
    }
  }

  /** Marks the fields with what is wrong, and leads to the first. @param {Map<string, string>} wrong  ident -> key of a text */
  #mark(wrong) {
    for (const row of this.#rows) row.complain(wrong.get(row.ident));
    this.#rows.find(({ ident }) => wrong.has(ident))?.input.focus();
    return wrong.size > 0;
  }
}

const EMAIL = { type: 'email', maxlength: 320, autocomplete: 'email' };

class Row {
  constructor(field, at, value) {
    const { ident, label, type, isRequired } = field;
    const id = `survey-${at}`;
    this.ident = ident;
    const shared = { id, required: isRequired, data: { test: 'survey-field', ident }, 'aria-describedby': `${id}-problem` };
    const offered = choices(field);
    const options = offered && [['', ''], ...offered].map(([key, text]) => el('option', { value: key, selected: key === value }, text));
    this.input = options
      ? el('select', shared, options)
      : el('input', { ...shared, ...(type === 'email' ? EMAIL : { type: 'text', maxlength: 4096 }), dir: 'auto', value });
    this.problem = el('p', { class: 'problem', id: `${id}-problem`, hidden: true, data: { test: 'field-problem' } });
    const optional = !isRequired && el('span', { class: 'muted' }, ` (${t('survey.optional')})`);
    this.element = el('div', { class: 'field' }, el('label', { for: id }, el('span', { dir: 'auto' }, label), optional), this.input, this.problem);
  }

  complain(key) {
    show(this.problem, key && t(key));
    set(this.input, 'aria-invalid', key && 'true');
  }
}
