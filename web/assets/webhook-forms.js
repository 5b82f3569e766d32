/** What the desk asks of a webhook: its settings, from where to send again, whether it is to go; and its secret, shown once. */
import { ParleyError, versionOf } from '../parley.js';
import { ask } from './dialogs.js';
import { el, setText } from './dom.js';
import { HeaderEditor } from './header-editor.js';
import { webhookName } from './webhook-format.js';
import { changes, problemsOf, replayPlace, settings, settingsText } from './webhook-settings.js';

const DIRECTIONS = [['', 'From both sides'], ['toAgent', 'From customers only'], ['toClient', 'From agents only']];
const NUMBER = { pattern: '[0-9]{1,3}' };

const URL_FIELD = { name: 'url', label: 'URL', type: 'url', required: true, maxLength: 2000 };
const DESCRIPTION = { name: 'description', label: 'What it is for', maxLength: 500 };
const FILTERS = [
  { name: 'types', label: 'Types of events', hint: 'For example message.created, thread.updated; empty: all' },
  { name: 'directions', label: 'Messages', options: DIRECTIONS },
  { name: 'channels', label: 'Channels', hint: 'Ids of channels; empty: all' },
];
const SESSION = { name: 'session', label: 'Session', hint: 'The id of a session, for its events only; empty: the desk' };
const PACE = [
  { name: 'concurrency', label: 'Requests at the same time', hint: '1 to 64; 1 keeps all events in order; empty: 8', ...NUMBER },
  { name: 'timeoutSeconds', label: 'Seconds to wait for an answer', hint: '1 to 60; empty: 15', ...NUMBER },
];

/** @param {import('../parley.js').Parley} parley
 *  @returns {Promise<import('../parley.js').Webhook|undefined>}  with its secret; undefined: the user has left it */
export function addWebhook(parley) {
  const headers = new HeaderEditor();
  return askUntilTaken({
    title: 'Add a webhook',
    text: 'Parley sends each event to its URL, until the receiver has taken it.',
    submit: 'Add',
    test: 'add-webhook',
    fields: [URL_FIELD, DESCRIPTION, ...FILTERS, SESSION, ...PACE],
    headers,
    send: (texts) => parley.webhooks.create(settings(texts, headers.read())),
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
    const send = async (texts) => {
      for (;;) {
        try {
          return await handle.update(changes(before, texts, headers.read()), { ifMatch: versionOf(known) });
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
      title: `Settings of ${webhookName(known)}`,
      problem,
      submit: 'Save',
      test: 'change-webhook',
      fields: [URL_FIELD, DESCRIPTION, ...FILTERS, ...PACE],
      headers,
      values: before,
      send,
    });
    if (changed !== OUTDATED) return changed;
    problem = 'Somebody else has changed it meanwhile. These are its settings now; please make your changes again.';
  }
}

const OUTDATED = Symbol('changed by somebody else');

/** @param {import('../parley.js').WebhookHandle} handle
 *  @returns {Promise<import('../parley.js').Webhook|undefined>}  undefined: the user has left it */
export function replayWebhook(handle) {
  return askUntilTaken({
    title: 'Send events again',
    text: 'They keep their ids, so a receiver that remembers ids ignores what it has already.',
    submit: 'Send again',
    test: 'replay',
    fields: [
      { name: 'since', label: 'Since', type: 'datetime-local', hint: 'In the time of this computer' },
      { name: 'after', label: 'Or after the event with this id', hint: 'It is in the header webhook-id of the request' },
    ],
    async send(texts) {
      if (!texts.since && !texts.after) throw incomplete('since', 'Choose a time, or enter an id.');
      return handle.replay(replayPlace(texts));
    },
  });
}

/** What the gateway would say of a form without this field. */
const incomplete = (field, detail) =>
  new ParleyError({ code: 'missingMember', status: 422, detail, errors: [{ pointer: `#/${field}`, detail }] });

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
  const text = 'Its deliveries are removed, too. Events that it has not received yet are not sent any more.';
  const title = `Remove ${webhookName(webhook)}?`;
  return (await ask({ title, text, submit: 'Remove', danger: true, test: 'remove-webhook' })) !== null;
}

/** @param {import('../parley.js').Webhook} webhook @returns {Promise<boolean>} */
export async function mayRotateSecret(webhook) {
  const text = 'For a day, requests are signed with the old secret as well, so that you can change the receiver.';
  const title = `A new secret for ${webhookName(webhook)}?`;
  return (await ask({ title, text, submit: 'Make a new secret', test: 'rotate-secret' })) !== null;
}

/** Shows a secret, which no later answer has. Resolves when the user has closed the dialog.
 *  @param {import('../parley.js').Webhook} webhook @returns {Promise<void>} */
export function showSecret(webhook) {
  return new Promise((resolve) => {
    const heading = el('h2', { id: 'dialog-secret' }, `The secret of ${webhookName(webhook)}`);
    const field = el('input', { id: 'secret', readonly: true, value: webhook.secret, data: { test: 'secret' } });
    const said = el('p', { class: 'small', role: 'status', data: { test: 'secret-copied' } });
    const copy = async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(webhook.secret); // absent where the page is not secure
        setText(said, 'Copied.');
      } catch {
        setText(said, 'The secret is selected: copy it with the keyboard.');
      }
    };
    const button = (label, style, test, click) =>
      el('button', { type: 'button', class: style, data: { test }, on: { click } }, label);
    const dialog = el(
      'dialog',
      { 'aria-labelledby': heading.id, data: { test: 'secret-dialog' } },
      heading,
      el('p', {}, 'The receiver verifies requests with this secret. It is shown only now; keep it in a safe place.'),
      el('div', { class: 'field' }, el('label', { for: field.id }, 'Secret'), field),
      said,
      el(
        'div',
        { class: 'dialog-buttons' },
        button('Copy', 'quiet', 'secret-copy', copy),
        el('span', { class: 'spacer' }),
        button('Done', 'primary', 'secret-done', () => dialog.close()),
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
