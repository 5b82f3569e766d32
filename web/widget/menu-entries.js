/** What the menu at the top has, as things are now. */
import { ask } from './ask.js';
import { isOfTheWeb } from './text-view.js';
import { t } from './texts.js';
import { utcOffset } from './times.js';

/** @param {import('./widget.js').Widget} widget @returns {{hook: string, label: string, run: () => void}[]} */
export function menuEntries(widget) {
  const { settings, state, thread, visitor, sound } = widget;
  const { consent, selfErase } = settings.visitors ?? {};
  const isChat = ['chat', 'closed', 'rating'].includes(state.name);
  const isBegun = isChat && Boolean(thread) && Boolean(visitor.api);
  const choices = isChat && !state.closed ? (settings.menu ?? []) : [];
  return [
    ...choices.map((entry) => ({ hook: 'choose', label: entry.label, run: () => widget.choose(entry) })),
    isBegun && { hook: 'transcript', label: t('menu.transcript'), run: () => saveTranscript(widget, thread) },
    { hook: 'sound', label: t(sound.isOn ? 'head.soundOff' : 'head.sound'), run: () => sound.toggle() },
    isOfTheWeb(consent?.url) && { hook: 'privacy-page', label: t('menu.privacy'), run: () => open(consent.url, '_blank', 'noopener,noreferrer') },
    visitor.record && selfErase && { hook: 'erase', label: t('menu.erase'), run: () => erase(widget) },
    visitor.record && { hook: 'sign-out', label: t('menu.signOut'), run: () => signOut(widget) },
  ].filter(Boolean);
}

async function saveTranscript({ chats, screens, settings }, thread) {
  try {
    const file = await chats.do((api) => api.transcript(thread.id, utcOffset()));
    const url = URL.createObjectURL(file);
    const day = new Date().toISOString().slice(0, 10);
    Object.assign(document.createElement('a'), { href: url, download: `${settings.name ?? 'chat'} ${day}.html` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch {
    screens.notify('problems.wrong');
  }
}

async function erase(widget) {
  if (!(await ask({ title: t('menu.eraseTitle'), text: t('menu.eraseHint'), yes: t('menu.erase') }))) return;
  try {
    await widget.chats.do((api) => api.erase());
    await widget.signOut().catch(() => {}); // the session went with the rest
    widget.screens.notify('menu.erased');
  } catch {
    widget.screens.notify('problems.wrong');
  }
}

async function signOut(widget) {
  if (!(await ask({ title: t('menu.signOut'), yes: t('menu.signOut') }))) return;
  await widget.signOut().catch((error) => widget.complain(error));
}
