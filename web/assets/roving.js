/**
 * Arrow keys within a list, one stop of the Tab key for all of it (WAI-ARIA "roving tabindex"). Home and End too.
 * Returns a function to call after the list has changed.
 *
 * @param {HTMLElement} list @param {string} selector  its items @param {{last?: boolean}} [options]  where Tab enters
 */
export function roving(list, selector, { last = false } = {}) {
  let current;
  const items = () => [...list.querySelectorAll(selector)];

  const point = (item) => {
    current = item;
    for (const one of items()) {
      const tabIndex = one === item ? 0 : -1;
      if (one.getAttribute('tabindex') !== String(tabIndex)) one.tabIndex = tabIndex;
    }
  };
  const refresh = () => {
    const all = items();
    // Where Tab enters at the newest, it does so again once the keyboard has left.
    const isKept = all.includes(current) && !(last && !list.contains(document.activeElement));
    point(isKept ? current : all.find((one) => one.hasAttribute('aria-current')) ?? all.at(last ? -1 : 0));
  };

  list.addEventListener('focusin', ({ target }) => {
    const item = target.closest(selector);
    if (item && item !== current) point(item);
  });
  list.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(document.activeElement?.closest(selector));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, to))].focus();
  });
  return refresh;
}
