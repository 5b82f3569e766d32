/** The line that says when the page is not up to date, and goes away by itself. */
import { el, setText } from './dom.js';
import { problemText, texts } from './texts.js';

/** A blip of less than this is not worth a word. */
const GRACE = 1200;

/** @param {import('./shared-stream.js').SharedStream} stream */
export function banner(stream) {
  const text = el('span');
  const element = el(
    'div',
    { class: 'banner', role: 'status', hidden: true, data: { test: 'banner' } },
    el('span', { class: 'spinner' }),
    text,
  );
  let timer;
  const show = (words) => {
    setText(text, words);
    element.hidden = false;
  };
  stream.addEventListener('state', ({ detail: { state, error } }) => {
    if (state === 'waiting') {
      const words = error ? texts.page.noAnswer : texts.page.reconnecting;
      if (!element.hidden) show(words);
      clearTimeout(timer);
      timer = setTimeout(show, GRACE, words);
    } else if (state === 'live') {
      clearTimeout(timer);
      element.hidden = true;
    }
  });
  stream.addEventListener('failed', ({ detail }) => {
    clearTimeout(timer);
    if (detail.status !== 401) show(texts.page.noLiveUpdates({ why: problemText(detail) }));
  });
  return element;
}
