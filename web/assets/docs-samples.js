/** Samples: the language that one chose last is chosen everywhere, and a button copies what is shown. */
import { el } from './dom.js';
import { texts } from './texts.js';

const KEY = 'parley.docs.language';

/** @param {HTMLElement} main */
export function rememberLanguage(main) {
  const choose = (language) => {
    for (const input of main.querySelectorAll('.samples input')) input.checked = input.value === language;
  };
  const stored = localStorage.getItem(KEY);
  if (main.querySelector(`.samples input[value="${CSS.escape(stored ?? '')}"]`)) choose(stored);
  main.addEventListener('change', ({ target }) => {
    if (!target.matches('.samples input')) return;
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    localStorage.setItem(KEY, target.value);
    // Samples above have other heights now: what was clicked stays where it is.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}

/** @param {HTMLElement} main */
export function addCopyButtons(main) {
  for (const sample of main.querySelectorAll('.sample')) {
    const button = el('button', { type: 'button', data: { test: 'copy' } }, texts.docs.copy);
    button.addEventListener('click', async () => {
      await copy(sample.querySelector('code'));
      button.textContent = texts.docs.copied;
      setTimeout(() => (button.textContent = texts.docs.copy), 2000);
    });
    sample.append(button);
  }
}

/** Without TLS a browser has a clipboard for this machine's own addresses alone; elsewhere the old way works. */
async function copy(code) {
  if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent);
  getSelection().selectAllChildren(code);
  document.execCommand('copy');
}
