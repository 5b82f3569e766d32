/** The column of the reference: its search, and the mark at what is being read. */
import { set, setText, soon } from './dom.js';

const PAUSE = 150; // milliseconds without a key until the gateway is asked
const TOP = 120; // pixels; what begins above this line is being read

/** The gateway searches; this only asks while one types, and keeps the words in the address. @param {HTMLElement} main */
export function searchAsTyped(main) {
  const input = document.querySelector('#search');
  let timer;
  let asked = new AbortController();

  const search = async () => {
    asked.abort();
    asked = new AbortController();
    const words = input.value.trim();
    const query = words ? `?${new URLSearchParams({ q: words })}` : '';
    const place = words ? '/docs' : location.pathname;
    const page = await load(place + query, asked.signal);
    if (!page) return;
    show(page, main);
    history.replaceState(null, '', location.pathname + query + location.hash);
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  input.form.addEventListener('submit', (event) => {
    if (location.pathname === '/docs') return; // as without script
    event.preventDefault();
    clearTimeout(timer);
    search();
  });
  addEventListener('keydown', (event) => {
    const isWriting = event.target.closest?.('input:not([type=radio]), textarea, select, dialog');
    if (event.key === '/' && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    }
    if (event.target === input && event.key === 'Escape' && input.value) {
      event.preventDefault();
      input.value = '';
      search();
    }
    if (event.target === input && event.key === 'ArrowDown') {
      event.preventDefault();
      document.querySelector('#index details[open] a')?.focus();
    }
  });
}

/** Another page of the gateway. The browser itself reads it, so no text becomes a document. Undefined after a newer search, or
 *  when the gateway is away: the list stays as it is. @returns {Promise<Document | undefined>} */
function load(address, signal) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.onload = () => resolve(request.status === 200 ? (request.response ?? undefined) : undefined);
    request.onerror = request.onabort = () => resolve(undefined);
    signal.addEventListener('abort', () => request.abort());
    request.send();
  });
}

/** Takes over the column's list from another document; on the start page also what was found. */
function show(page, main) {
  document.querySelector('#index').replaceWith(page.querySelector('#index'));
  setText(document.querySelector('.found'), page.querySelector('.found').textContent);
  if (location.pathname === '/docs') main.replaceChildren(...page.querySelector('main').childNodes);
}

/** Marks the operation that is being read. @param {HTMLElement} main */
export function markCurrent(main) {
  const column = document.querySelector('.column');
  const mark = soon(() => {
    const sections = [...main.querySelectorAll('.operation')];
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const begun = sections.filter((one) => one.getBoundingClientRect().top <= TOP);
    // At the page's end a short last section cannot reach the line.
    const named = atEnd && sections.find((one) => `#${one.id}` === location.hash);
    const current = named || begun.at(-1);
    for (const link of column.querySelectorAll('#index a')) {
      const isHere = current && link.pathname === location.pathname && link.hash === `#${current.id}`;
      if (isHere && !link.hasAttribute('aria-current')) reveal(column, link);
      if (link.hash) set(link, 'aria-current', isHere && 'location');
    }
  });
  addEventListener('scroll', mark, { passive: true });
  addEventListener('hashchange', mark);
  new MutationObserver(mark).observe(column, { childList: true, subtree: true });
  mark();
}

/** Scrolls the column, not the page, so that the link can be seen. */
function reveal(column, link) {
  const [box, around] = [link.getBoundingClientRect(), column.getBoundingClientRect()];
  if (box.top < around.top) column.scrollTop += box.top - around.top - 60;
  if (box.bottom > around.bottom) column.scrollTop += box.bottom - around.bottom + 60;
}
