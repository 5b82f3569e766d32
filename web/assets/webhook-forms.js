/** What the desk asks of a webhook: its settings, from where to send again, whether it is to go; and its secret, shown once. */
import { ParleyError, newId, versionOf } from '../parley.js';
import { ask } from './dialogs.js';
import { el, setText } from './dom.js';
import { HeaderEditor } from './header-editor.js';
import { texts } from './texts.js';
import { webhookName } from './webhook-format.js';
import { changes, fault, problemsOf, replayPlace, settings, settingsText } from './webhook-settings.js';

const DIRECTIONS = [['', texts.webhooks.directionsAll], ['toAgent', texts.webhooks.directionsToAgent], ['toClient', texts.webhooks.directionsToClient]];
const NUMBER = { pattern: '[0-9]{1,3}' };

const URL_FIELD = { name: 'url', label: texts.webhooks.url, type: 'url', required: true, maxLength: 2000 };
const DESCRIPTION = { name: 'description', label: texts.webhooks.description, maxLength: 500 };
const FILTERS = [
  { name: 'types', label: texts.webhooks.types, hint: texts.webhooks.typesHint },
  { name: 'directions', label: texts.webhooks.directions, options: DIRECTIONS },
  { name: 'channels', label: texts.webhooks.channels, hint: texts.webhooks.channelsHint },
];
const SESSION = { name: 'session', label: texts.webhooks.session, hint: texts.webhooks.sessionHint };
const PACE = [
  { name: 'concurrency', label: texts.webhooks.concurrency, hint: texts.webhooks.concurrencyHint, ...NUMBER },
  { name: 'timeoutSeconds', label: texts.webhooks.timeout, hint: texts.webhooks.timeoutHint, ...NUMBER },
];

/** @param {import('../parley.js').Parley} parley
 *  @returns {Promise<import('../parley.js').Webhook|undefined>}  with its secret; undefined: the user has left it */
export function addWebhook(parley) {
  const headers = new HeaderEditor();
  let sent; // the settings that were sent last, and their key: sent again as they were, they make no second webhook
  return askUntilTaken({
    title: texts.webhooks.add,
    text: texts.webhooks.addHint,
    submit: texts.common.add,
    test: 'add-webhook',
    fields: [URL_FIELD, DESCRIPTION, ...FILTERS, SESSION, ...PACE],
    headers,
    send(form) {
      const body = settings(form, headers.read());
      const text = JSON.stringify(body);
      if (sent?.text !== text) sent = { text, key: newId() };
      return parley.webhooks.create(body, { key: sent.key });
    },
  });
}

/** Begins with the settings that the gateway has, and again if somebody else changes them meanwhile.
 *  @param {import('../parley.js').WebhookHandle} handle
 *  @returns {Promise<import('../parley.js').Webhook|undefined>}  undefined: the user has left it */
export async function changeWebhook(handle) {
  let problem;
  for (;;) {
    let known = await handle.get();
    const before = settingsText(known);
    const names = JSON.stringify(known.headerNames);
    const headers = new HeaderEditor(known.headerNames);
    const send = async (form) => {
      for (;;) {
        try {
          return await handle.update(changes(before, form, headers.read()), { ifMatch: versionOf(known) });
        } catch (error) {
          if (error.status !== 412) throw error;
          known = await handle.get();
          const isSame = JSON.stringify(settingsText(known)) === JSON.stringify(before);
          if (!isSame || JSON.stringify(known.headerNames) !== names) return OUTDATED;
          // Only its state has changed: what the user saw still holds.
        }
      }
    };
    const changed = await askUntilTaken({
      title: texts.webhooks.settings({ name: webhookName(known) }),
      problem,
      submit: texts.common.save,
      test: 'change-webhook',
      fields: [URL_FIELD, DESCRIPTION, ...FILTERS, ...PACE],
      headers,
      values: before,
      send,
    });
    if (changed !== OUTDATED) return changed;
    problem = texts.webhooks.changed;
  }
}

const OUTDATED = Symbol('changed by somebody else');

/** @param {import('../parley.js').WebhookHandle} handle
 *  @returns {Promise<import('../parley.js').Webhook|undefined>}  undefined: the user has left it */
export function replayWebhook(handle) {
  return askUntilTaken({
    title: texts.webhooks.replay,
    text: texts.webhooks.replayHint,
    submit: texts.deliveries.again,
    test: 'replay',
    fields: [
      { name: 'since', label: texts.webhooks.since, type: 'datetime-local', hint: texts.webhooks.sinceHint },
      { name: 'after', label: texts.webhooks.after, hint: texts.webhooks.afterHint },
    ],
    async send(form) {
      if (!form.since && !form.after) throw fault('missingMember', 'since', texts.webhooks.choosePlace);
      return handle.replay(replayPlace(form));
    },
  });
}

/**
 * Asks until `send` takes the answer. What the gateway does not take is shown at the field it belongs to, and what the user
 * has written stays.
 *
 * @template T @param {object} form  a question for `ask`; `values`: what the fields begin with; `headers`: the editor of
 *   headers; `send`: what is done with the fields' texts
 * @returns {Promise<T|undefined>}  what `send` answers; undefined: the user has left it
 */
async function askUntilTaken({ fields, headers, values = {}, send, problem, ...question }) {
  let problems = { '': problem };
  for (;;) {
    const shown = fields.map((field) => ({ ...field, value: values[field.name], problem: problems[field.name] }));
    const editor = headers && { name: 'headers', element: headers.element, problem: problems.headers };
    const answer = await ask({ ...question, problem: problems[''], fields: [...shown, ...(editor ? [editor] : [])] });
    if (!answer) return undefined;
    values = answer;
    try {
      return await send(answer);
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      problems = problemsOf(error);
      headers?.mark(error.errors);
    }
  }
}

/** @param {import('../parley.js').Webhook} webhook @returns {Promise<boolean>} */
export async function mayRemoveWebhook(webhook) {
  const text = texts.webhooks.removeHint;
  const title = texts.webhooks.removeTitle({ name: webhookName(webhook) });
  return (await ask({ title, text, submit: texts.common.remove, danger: true, test: 'remove-webhook' })) !== null;
}

/** @param {import('../parley.js').Webhook} webhook @returns {Promise<boolean>} */
export async function mayRotateSecret(webhook) {
  const text = texts.webhooks.newSecretHint;
  const title = texts.webhooks.newSecretTitle({ name: webhookName(webhook) });
  return (await ask({ title, text, submit: texts.webhooks.newSecretSubmit, test: 'rotate-secret' })) !== null;
}

/** Shows a secret, which no later answer has. Resolves when the user has closed the dialog.
 *  @param {import('../parley.js').Webhook} webhook @returns {Promise<void>} */
export function showSecret(webhook) {
  return new Promise((resolve) => {
    const heading = el('h2', { id: 'dialog-secret' }, texts.webhooks.secretTitle({ name: webhookName(webhook) }));
    const field = el('input', { id: 'secret', readonly: true, value: webhook.secret, data: { test: 'secret' } });
    const said = el('p', { class: 'small', role: 'status', data: { test: 'secret-copied' } });
    const copy = async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(webhook.secret); // absent where the page is not secure
        setText(said, texts.webhooks.copied);
      } catch {
        setText(said, texts.webhooks.copyYourself);
      }
    };
    const button = (label, style, test, click) =>
      el('button', { type: 'button', class: style, data: { test }, on: { click } }, label);
    const dialog = el(
      'dialog',
      { 'aria-labelledby': heading.id, data: { test: 'secret-dialog' } },
      heading,
      el('p', {}, texts.webhooks.secretHint),
      el('div', { class: 'field' }, el('label', { for: field.id }, texts.webhooks.secret), field),
      said,
      el(
        'div',
        { class: 'dialog-buttons' },
        button(texts.webhooks.copy, 'quiet', 'secret-copy', copy),
        el('span', { class: 'spacer' }),
        button(texts.common.done, 'primary', 'secret-done', () => dialog.close()),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}
