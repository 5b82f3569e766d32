/** What the desk asks of a webhook: the settings of a new one, whether another is to go; and its secret, shown once. */
import { ask } from './dialogs.js';
import { el, setText } from './dom.js';
import { webhookName } from './webhook-format.js';
import { problemsOf, settings } from './webhook-settings.js';

const DIRECTIONS = [['', 'Of both sides'], ['toAgent', 'Only of customers'], ['toClient', 'Only of agents']];

/** Asks until the gateway accepts the settings. A setting that it refuses is marked at its field.
 *  @param {import('../parley.js').Parley} parley
 *  @returns {Promise<import('../parley.js').Webhook|undefined>}  with its secret; undefined: the user has left it */
export async function addWebhook(parley) {
  let values = {};
  let problems = {};
  for (;;) {
    const field = (name, label, more) => ({ name, label, value: values[name], problem: problems[name], ...more });
    const answer = await ask({
      title: 'Add a webhook',
      text: 'Parley sends each event to its URL, until the receiver has taken it.',
      submit: 'Add',
      test: 'add-webhook',
      fields: [
        field('url', 'URL', { type: 'url', required: true, maxLength: 2000 }),
        field('description', 'What it is for', { maxLength: 500 }),
        field('types', 'Types of events', { hint: 'For example message.created, thread.updated; empty: all' }),
        field('directions', 'Messages', { options: DIRECTIONS }),
        field('channels', 'Channels', { hint: 'Ids of channels; empty: all' }),
        field('session', 'Session', { hint: 'The id of a session; empty: all that the desk sees' }),
        field('headers', 'An additional header', { hint: 'For example Authorization: Bearer 4711', pattern: '[^:\\s]+:.*' }),
      ],
    });
    if (!answer) return undefined;
    values = answer;
    try {
      return await parley.webhooks.create(settings(answer));
    } catch (error) {
      problems = problemsOf(error);
      if (!Object.keys(problems).length) throw error;
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
