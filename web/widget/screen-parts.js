/** What the views on the screen ask of the widget. */
import { el } from './dom.js';
import { ask } from './ask.js';
import { surveyOf } from './opening.js';
import { refusedFields } from './survey-fields.js';
import { t } from './texts.js';

/** @param {import('./widget.js').Widget} widget */
export function screenParts(widget) {
  const { chats, visitor } = widget;
  const isClosed = ({ state }) => state === 'closed';
  return {
    prefilled: () => widget.prefilled,
    head: {
      back: () => widget.input('back'),
      close: widget.isFramed ? () => widget.host.tell('closing') : undefined,
      end: () => endChat(widget),
      entries: widget.menu,
    },
    start: {
      compose: () => widget.input('compose'),
      pick: (thread) => widget.input('pick', { thread: thread.id, closed: isClosed(thread) }),
    },
    survey: (answers) => begin(widget, answers),
    act: {
      agree: () => widget.agree(),
      decline: () => widget.input('decline'),
      reconsider: () => widget.input('reconsider'),
      retry: () => tryAgain(widget),
    },
    transcript: {
      older: () => chats.loadOlder(),
      atEnd: () => widget.considerRead(),
      name: widget.name,
      ticket: (id) => widget.tickets.get(visitor.api.attachmentURL(id)),
      retry: (id) => chats.retry(id),
      discard: (id) => (chats.discard(id), stay(widget)),
      cancelFile: (id, key) => chats.outbox.cancelFile(id, key),
      answer: (answer) => (widget.send(answer), stay(widget)),
    },
    live: {
      answer: (answer) => widget.quietly((api) => api.inactivity(widget.thread.id, answer)),
      say: (text) => widget.announcer.add(text),
    },
    rating: {
      rate: (body) => rate(widget, body),
      skip: () => widget.input('rated'),
    },
    composer: {
      send: (what) => widget.send(what),
      changed: (text) => widget.written(text),
      left: () => widget.typing.stop(),
      say: (text) => widget.announcer.add(text),
    },
    again: () => widget.again(),
  };
}

/** The button that had the keyboard goes: its list takes it, and not the field, which would bring up the keys of a phone. */
const stay = ({ screens }) => screens.chat.transcript.scroller.focus({ preventScroll: true });

/** The channel's menu as buttons. @param {import('./widget.js').Widget} widget */
export function menuOffers(widget) {
  return (widget.settings.menu ?? []).map((entry) => {
    const click = () => widget.choose(entry);
    return el('button', { type: 'button', class: 'offer', data: { test: 'choice' }, on: { click } }, el('span', { dir: 'auto' }, entry.label));
  });
}

async function endChat(widget) {
  const { thread } = widget;
  if (!thread || !(await ask({ title: t('queue.endTitle'), text: t('queue.endHint'), yes: t('queue.end') }))) return;
  await widget.quietly((api) => api.endChat(thread.id));
}

/** Begins with the answers of the survey. @returns {Promise<Map<string, string>|undefined>}  what is wrong with them */
async function begin(widget, answers) {
  try {
    const thread = await widget.chats.begin(answers);
    widget.input('answered', { thread });
    return undefined;
  } catch (error) {
    const wrong = refusedFields(error, surveyOf(widget.settings)?.fields ?? []);
    if (wrong.size) return wrong;
    widget.complain(error);
    return undefined;
  }
}

/** Nobody was there: perhaps there is now. */
export async function tryAgain(widget) {
  if (!widget.visitor.api) return location.reload();
  await widget.quietly((api) => api.connect());
  await widget.chats.load();
  return undefined;
}

async function rate(widget, body) {
  try {
    await widget.chats.do((api) => api.rate(widget.thread.id, body));
    widget.host.tell('rated', { score: body.score });
    widget.input('rated');
    widget.screens.notify('rating.thanks');
  } catch (error) {
    widget.screens.notify('problems.wrong');
    throw error;
  }
}
