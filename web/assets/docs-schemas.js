/** The members of a schema where it is named: its list, which the page has once, is copied there. */
import { el, set } from './dom.js';
import { texts } from './texts.js';

/** @param {HTMLElement} main */
export function addUnfoldButtons(main) {
  for (const link of main.querySelectorAll('a.schema')) {
    link.after(
      el(
        'button',
        { type: 'button', class: 'unfold', 'aria-expanded': 'false', 'aria-label': texts.docs.shows({ name: link.textContent }) },
        '+',
      ),
    );
  }
  main.addEventListener('click', ({ target }) => {
    if (target.matches('.unfold')) toggle(target);
  });
}

function toggle(button) {
  const link = button.previousElementSibling;
  const name = link.hash.slice(1);
  const owner = button.closest('li, p');
  const parent = owner.localName === 'li' ? owner : owner.parentElement;
  const shown = [...parent.children].find((one) => one.dataset.schema === name);
  set(button, 'aria-expanded', String(!shown));
  button.textContent = shown ? '+' : '−';
  if (shown) return shown.remove();
  const copy = el('div', { class: 'unfolded', data: { schema: name } });
  for (const node of document.getElementById(name).querySelectorAll(':scope > :is(ul.members, p.type)')) copy.append(pristine(node));
  if (owner.localName === 'li') owner.append(copy);
  else owner.after(copy);
}

/** A copy in which nothing is unfolded. */
function pristine(node) {
  const copy = node.cloneNode(true);
  for (const one of copy.querySelectorAll('.unfolded')) one.remove();
  for (const one of copy.querySelectorAll('.unfold')) {
    one.textContent = '+';
    one.setAttribute('aria-expanded', 'false');
  }
  return copy;
}
