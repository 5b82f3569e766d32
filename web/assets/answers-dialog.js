/** The answers that agents keep: one is put into the input, what stands there is kept, others are removed. */
import { LONGEST_NAME } from './canned-answers.js';
import { ask, noteProblem } from './dialogs.js';
import { el, iconButton, place } from './dom.js';
import { insertReply } from './reply-picker.js';
import { texts } from './texts.js';

const SHORTCUT = '[A-Za-z0-9_\\-]{1,32}';
const LONGEST_TEXT = 20_000;

/** The button beside the input. @param {{composer: () => import('./composer-view.js').ComposerView,
 *  kept: import('./canned-answers.js').CannedAnswers, values: () => Record<string, string|undefined>,
 *  channels: () => import('../parley.js').Channel[]}} parts  `values`: what takes the places of a reply */
export function answersButton({ composer, ...parts }) {
  const click = () => showAnswers(composer(), parts);
  return iconButton('answers', texts.answers.title, { class: 'icon-button attach', data: { test: 'answers' }, on: { click } });
}

function showAnswers(composer, { kept, values, channels }) {
  const heading = el('h2', { id: 'dialog-answers' }, texts.answers.title);
  const list = el('ul', { class: 'answers', 'aria-label': texts.answers.title });
  const none = el('p', {}, texts.answers.none);
  const button = (label, style, test, click) =>
    el('button', { type: 'button', class: style, data: { test }, on: { click } }, label);
  const keepButton = button(texts.answers.keep, 'quiet', 'answer-keep', () => {
    dialog.close();
    editAnswer({ text: composer.text }, kept, channels());
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

  function row(answer) {
    const { id, name, text, shortcut } = answer;
    const use = () => {
      dialog.close();
      insertReply(composer, text, values());
    };
    const edit = () => {
      dialog.close();
      editAnswer(answer, kept, channels());
    };
    const attributes = { type: 'button', class: 'answer', data: { test: 'answer', id: name }, on: { click: use } };
    const remove = () => kept.remove(id).catch(noteProblem);
    const gone = iconButton('close', texts.answers.remove({ name }), { data: { test: 'answer-remove' }, on: { click: remove } });
    const change = iconButton('pencil', texts.customer.change({ name }), { data: { test: 'answer-edit' }, on: { click: edit } });
    const title = el('span', { class: 'thread-row' }, el('strong', { dir: 'auto' }, name), shortcut && el('kbd', { dir: 'auto' }, `/${shortcut}`));
    return el('li', {}, el('button', attributes, title, el('span', { class: 'muted', dir: 'auto' }, text)), change, gone);
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

/** Keeps a reply under a name; one that has it already gets a new text. */
async function editAnswer(answer, kept, channels) {
  const { text, shortcut = '', language = '' } = answer;
  const isNew = answer.name === undefined;
  const chosen = answer.channels?.length === 1 ? answer.channels[0] : '';
  const given = await ask({
    title: isNew ? texts.answers.keepTitle : answer.name,
    submit: texts.common.save,
    test: 'keep-answer',
    fields: [
      isNew && { name: 'name', label: texts.common.name, required: true, maxLength: LONGEST_NAME },
      { name: 'text', label: texts.saved.text, type: 'lines', value: text, required: true, maxLength: LONGEST_TEXT, hint: texts.saved.places({ first: '{customer.firstName|…}', channel: '{channel.name}' }) },
      { name: 'shortcut', label: texts.saved.shortcut, value: shortcut, maxLength: 32, pattern: SHORTCUT, hint: texts.saved.shortcutHint },
      { name: 'channel', label: texts.desk.channel, value: chosen, options: [['', texts.desk.allChannels], ...channels.map(({ id, name }) => [id, name ?? id])] },
      { name: 'language', label: texts.customer.language, value: language, maxLength: 35, pattern: '[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*' },
    ].filter(Boolean),
  });
  if (!given?.text) return;
  const several = (answer.channels?.length ?? 0) > 1 && !given.channel ? answer.channels : undefined; // which this form cannot show
  const only = given.channel ? [given.channel] : several;
  const kind = { shortcut: given.shortcut || undefined, channels: only, language: given.language || undefined };
  // Null takes away what the reply had.
  for (const [name, value] of Object.entries(kind)) if (value === undefined && answer[name] !== undefined) kind[name] = null;
  await kept.keep({ name: answer.name ?? given.name, text: given.text, ...kind }).catch(noteProblem);
}
