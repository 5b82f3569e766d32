/** The desk's webhooks: a dialog with the list, and behind each row the webhook with its deliveries. */
import { el, iconButton, setText } from './dom.js';
import { texts } from './texts.js';
import { addWebhook, showSecret } from './webhook-forms.js';
import { webhookName } from './webhook-format.js';
import { WebhookListView } from './webhook-list-view.js';
import { WebhookView } from './webhook-view.js';
import { WebhookWatch } from './webhook-watch.js';

/** Opens the dialog. @param {import('../parley.js').Parley} parley
 *  @param {EventTarget} stream  its `event`s are the desk's */
export function showWebhooks(parley, stream) {
  const watch = new WebhookWatch(parley, stream);
  const list = new WebhookListView(watch, { open, add: () => run(add) });
  const view = new WebhookView(parley, watch, { run, removed: () => leave() });
  let shown; // id of the webhook that is on show, if it is not the list

  const heading = el('h2', { id: 'dialog-webhooks', tabindex: '-1' }, texts.webhooks.title);
  const back = iconButton('back', texts.webhooks.all, { data: { test: 'webhooks-back' }, on: { click: () => leave() } });
  const problem = el('p', { class: 'danger-text', role: 'alert', data: { test: 'webhooks-problem' } });
  const done = el(
    'button',
    { type: 'button', class: 'primary', data: { test: 'webhooks-close' }, on: { click: () => dialog.close() } },
    texts.common.done,
  );
  const dialog = el(
    'dialog',
    { class: 'wide webhooks-dialog', 'aria-labelledby': heading.id, data: { test: 'webhooks-dialog' } },
    el('div', { class: 'webhooks-header' }, back, heading),
    el('div', { class: 'webhooks-body' }, list.element, view.element),
    problem,
    el('div', { class: 'dialog-buttons' }, el('span', { class: 'spacer' }), done),
  );

  function render() {
    const webhook = shown && watch.get(shown);
    if (shown && watch.items && !webhook) return leave(); // removed, maybe at another desk
    list.element.hidden = Boolean(shown);
    view.element.hidden = back.hidden = !shown;
    setText(heading, webhook ? webhookName(webhook) : texts.webhooks.title);
    if (webhook) view.render();
    list.render();
  }

  function open(id) {
    shown = id;
    render();
    heading.focus();
    run(() => view.show(id));
  }

  function leave() {
    const before = shown;
    shown = undefined;
    setText(problem, '');
    render();
    list.focus(before);
  }

  async function add() {
    const webhook = await addWebhook(parley);
    if (!webhook) return;
    await watch.reload();
    if (webhook.secret) await showSecret(webhook);
    list.focus(webhook.id);
  }

  /** Does what the user asked for. Errors are shown in the dialog, because a note would be behind it. */
  async function run(action) {
    setText(problem, '');
    try {
      await action();
    } catch (error) {
      complain(error);
    }
  }

  function complain(error) {
    if (error.status !== 0) console.warn(error);
    const [first] = error.errors ?? [];
    setText(problem, first?.detail || error.detail || texts.common.failed);
  }

  watch.addEventListener('problem', ({ detail }) => complain(detail));
  watch.addEventListener('change', () => {
    render();
    if (shown) view.reload().catch(complain);
  });
  dialog.addEventListener('close', () => {
    watch.stop();
    dialog.remove();
  });
  render();
  document.body.append(dialog);
  dialog.showModal();
  heading.focus();
  watch.start();
}
