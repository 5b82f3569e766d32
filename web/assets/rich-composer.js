/** Writing a rich message at the desk: answers to choose from, a list, times, or a link. */
import { ask } from './dialogs.js';
import { el, set, setText } from './dom.js';
import { richContent } from './rich-form.js';
import { texts } from './texts.js';

const KINDS = ['quickReplies', 'listPicker', 'timePicker', 'richLink'];

/** @returns {Promise<{type: string, content: object}|undefined>}  undefined: nothing shall be sent */
export async function askRichMessage() {
  let problem;
  let given = { type: KINDS[0] };
  for (;;) {
    const fields = [{ name: 'rich', element: form(given, problem), problem }];
    given = await ask({ title: texts.offer.windowTitle, submit: texts.common.send, test: 'rich', fields });
    if (!given) return undefined;
    const content = richContent(given);
    if (content) return { type: given.type, content };
    problem = texts.offer.problems[given.type];
  }
}

/** The fields, named and explained as the kind of message needs them. */
function form({ type, title = '', offer = '' }, problem) {
  const options = KINDS.map((one) => el('option', { value: one, selected: one === type }, texts.offer.kinds[one]));
  const kind = el('select', { id: 'field-type', name: 'type', data: { test: 'field-type' }, on: { change: () => fit() } }, options);
  const heading = el('input', {
    id: 'field-title',
    name: 'title',
    value: title,
    required: true,
    maxlength: 1024,
    autocomplete: 'off',
    data: { test: 'field-title' },
  });
  const lines = el('textarea', {
    id: 'field-offer',
    name: 'offer',
    rows: 4,
    required: true,
    'aria-describedby': 'offer-hint',
    'aria-invalid': problem && 'true',
    data: { test: 'field-offer' },
  });
  lines.value = offer;
  const label = el('label', { for: lines.id });
  const hint = el('small', { id: 'offer-hint' });
  function fit() {
    setText(label, texts.offer.contents[kind.value]);
    setText(hint, texts.offer.hints[kind.value]);
    set(lines, 'rows', kind.value === 'richLink' ? 1 : 4);
  }
  fit();
  const field = (...parts) => el('div', { class: 'field' }, parts);
  return el(
    'div',
    {},
    field(el('label', { for: kind.id }, texts.offer.kind), kind),
    field(el('label', { for: heading.id }, texts.offer.title), heading),
    field(label, lines, hint),
  );
}
