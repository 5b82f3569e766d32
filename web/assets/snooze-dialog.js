/** Until when a conversation is put off: some good moments, or a time of one's own. */
import { el, setText } from './dom.js';
import { slotTime } from './format.js';
import { roving } from './roving.js';
import { isSnoozeTime, LATEST, localTime, snoozeTimes, SOONEST } from './snooze-times.js';
import { texts } from './texts.js';

/** @param {{until: string, wakeOnReply?: boolean}} [known]  how it is put off now @param {Date} [now]
 *  @returns {Promise<{until: string, wakeOnReply: boolean}|{wake: true}|undefined>}  undefined: all stays as it is */
export function askSnooze(known, now = new Date()) {
  return new Promise((resolve) => {
    let answer;
    const heading = el('h2', { id: 'dialog-snooze' }, texts.snooze.title);
    const wakes = el('input', { type: 'checkbox', id: 'snooze-wakes', checked: known?.wakeOnReply !== false, data: { test: 'snooze-wakes' } });
    const end = (value) => {
      answer = value;
      dialog.close();
    };
    const until = (time) => end({ until: time.toISOString(), wakeOnReply: wakes.checked });
    const choice = (label, time, test) =>
      el(
        'li',
        {},
        el(
          'button',
          { type: 'button', class: 'choice', data: { test }, on: { click: () => until(time) } },
          el('span', {}, label),
          el('time', { class: 'muted', datetime: time.toISOString() }, slotTime(time)),
        ),
      );
    const { today, tomorrow, week } = snoozeTimes(now);
    const list = el(
      'ul',
      { class: 'choices', 'aria-label': texts.snooze.until },
      today.getDate() === now.getDate() && choice(texts.snooze.today, today, 'snooze-today'),
      choice(texts.snooze.tomorrow, tomorrow, 'snooze-tomorrow'),
      choice(texts.snooze.week, week, 'snooze-week'),
    );
    const own = el('input', {
      id: 'snooze-own',
      type: 'datetime-local',
      required: true,
      value: localTime(known ? new Date(known.until) : tomorrow),
      min: localTime(new Date(now.getTime() + SOONEST)),
      max: localTime(new Date(now.getTime() + LATEST)),
      'aria-describedby': 'snooze-problem',
      data: { test: 'snooze-own' },
    });
    const problem = el('small', { class: 'danger-text', id: 'snooze-problem', role: 'alert' });
    const submit = (event) => {
      event.preventDefault();
      const time = new Date(own.value);
      if (isSnoozeTime(time)) return until(time);
      setText(problem, texts.snooze.wrong);
      own.focus();
    };
    const form = el(
      'form',
      { class: 'own-time', novalidate: true, on: { submit } },
      el('div', { class: 'field' }, el('label', { for: own.id }, texts.snooze.own), own),
      el('button', { class: 'primary', data: { test: 'snooze-submit' } }, texts.snooze.submit),
    );
    const plain = (label, test, click) => el('button', { type: 'button', class: 'quiet', data: { test }, on: { click } }, label);
    const dialog = el(
      'dialog',
      { 'aria-labelledby': heading.id, data: { test: 'snooze-dialog' } },
      heading,
      list,
      form,
      problem,
      el('label', { class: 'check', for: wakes.id }, wakes, texts.snooze.wakes),
      el(
        'div',
        { class: 'dialog-buttons' },
        known && plain(texts.snooze.wake, 'snooze-wake', () => end({ wake: true })),
        el('span', { class: 'spacer' }),
        plain(texts.common.cancel, 'snooze-cancel', () => end(undefined)),
      ),
    );
    roving(list, 'button')();
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    list.querySelector('button').focus();
  });
}
