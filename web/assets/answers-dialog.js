/** The answers that agents keep: one is put into the input, what stands there is kept, others are removed. */
import { LONGEST_NAME } from './canned-answers.js';
import { ask, noteProblem } from './dialogs.js';
import { el, iconButton, place } from './dom.js';
import { texts } from './texts.js';

/** The button beside the input. @param {() => import('./composer-view.js').ComposerView} composer
 *  @param {import('./canned-answers.js').CannedAnswers} kept */
export function answersButton(composer, kept) {
  const click = () => showAnswers(composer(), kept);
  return iconButton('answers', texts.answers.title, { class: 'icon-button attach', data: { test: 'answers' }, on: { click } });
}

function showAnswers(composer, kept) {
  const heading = el('h2', { id: 'dialog-answers' }, texts.answers.title);
  const list = el('ul', { class: 'answers', 'aria-label': texts.answers.title });
  const none = el('p', {}, texts.answers.none);
  const button = (label, style, test, click) =>
    el('button', { type: 'button', class: style, data: { test }, on: { click } }, label);
  const keepButton = button(texts.answers.keep, 'quiet', 'answer-keep', () => {
    dialog.close();
    keep(composer.text, kept);
  });
  keepButton.hidden = !composer.text;
  const close = button(texts.common.done, 'primary', 'answers-close', () => dialog.close());
  const dialog = el(
    'dialog',
    { 'aria-labelledby': heading.id, data: { test: 'answers-dialog' } },
    heading,
    none,
    list,
    el('div', { class: 'dialog-buttons' }, keepButton, el('span', { class: 'spacer' }), close),
  );

  function row({ id, name, text }) {
    const use = () => {
      dialog.close();
      composer.insert(text);
    };
    const attributes = { type: 'button', class: 'answer', data: { test: 'answer', id: name }, on: { click: use } };
    const remove = () => kept.remove(id).catch(noteProblem);
    const gone = iconButton('close', texts.answers.remove({ name }), { data: { test: 'answer-remove' }, on: { click: remove } });
    return el('li', {}, el('button', attributes, el('strong', { dir: 'auto' }, name), el('span', { class: 'muted', dir: 'auto' }, text)), gone);
  }

  const end = new AbortController();
  let isLoaded = false;
  function render() {
    const hadFocus = list.contains(document.activeElement);
    const all = kept.list();
    place(list, all.map(row));
    none.hidden = all.length > 0 || !isLoaded;
    if (hadFocus) focus();
  }
  const focus = () => (list.querySelector('button') ?? close).focus();

  kept.addEventListener('change', render, { signal: end.signal });
  dialog.addEventListener('close', () => (end.abort(), dialog.remove()));
  render();
  document.body.append(dialog);
  dialog.showModal();
  focus();
  const loaded = () => {
    isLoaded = true;
    render();
    if (document.activeElement === close) focus(); // there was none to be focused
  };
  kept.load().then(loaded, noteProblem);
}

async function keep(text, kept) {
  const field = { name: 'name', label: texts.common.name, required: true, maxLength: LONGEST_NAME };
  const answer = await ask({ title: texts.answers.keepTitle, text, submit: texts.common.save, test: 'keep-answer', fields: [field] });
  if (answer?.name) await kept.keep({ name: answer.name, text }).catch(noteProblem);
}
