/** What the page around the frame says, and what that does. */

/** Listens to the host. @param {import('./widget.js').Widget} widget */
export function followHost(widget) {
  const { host } = widget;
  host.addEventListener('hello', ({ detail }) => greet(widget, detail));
  host.addEventListener('message', ({ detail }) => MESSAGES[detail.type](widget, detail));
  host.listen(widget.settings.origins ?? []);
}

/** Asks the host who the visitor is, if that is what the frame waits for. @param {import('./widget.js').Widget} widget */
export function tellNeed({ host, state }) {
  if (state.name === 'identityNeeded') host.tell('needIdentity', { reason: state.reason });
}

function greet(widget, { page, title, open, lang }) {
  if (typeof page === 'string') widget.page = { url: page, title: typeof title === 'string' ? title : undefined };
  if (typeof lang === 'string' && changeLanguage(widget, lang)) return;
  widget.isOpen = open === true;
  widget.host.tell('ready', { version: 1, unread: widget.unread, lang: widget.settings.lang });
  tellNeed(widget);
  widget.look();
  if (widget.isOpen) widget.screens.focus();
}

/** Loads the page anew in another language. @returns {boolean}  whether it does */
function changeLanguage({ settings }, lang) {
  const address = new URL(location.href);
  const wasAsked = address.searchParams.get('lang') === lang;
  if (lang === settings.lang || wasAsked || !settings.languages?.includes(lang)) return false;
  address.searchParams.set('lang', lang);
  location.replace(address);
  return true;
}

const MESSAGES = {
  open: (widget, { thread }) => {
    widget.isOpen = true;
    const known = widget.chats.book.get(thread);
    if (known) widget.input('pick', { thread, closed: known.state === 'closed' });
    else widget.wanted = thread; // shown when it is loaded
    widget.look();
    widget.screens.focus();
  },
  close: (widget) => {
    widget.isOpen = false;
    widget.look();
  },
  identify: (widget, { jwt }) => widget.identify(jwt),
  shutdown: (widget, { id }) =>
    widget.signOut().then(
      () => widget.host.tell('done', { id, ok: true }),
      (error) => widget.host.tell('done', { id, ok: false, code: error.code }),
    ),
  page: (widget, page) => (widget.page = page),
  prefill: (widget, { text, fields = {} }) => {
    const { composer } = widget.screens.chat;
    Object.assign(widget.prefilled, Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string')));
    if (!text || composer.text) return;
    composer.text = text;
    widget.written(text);
  },
  visible: (widget, { visible }) => {
    widget.isShown = visible;
    widget.look();
  },
  lang: (widget, { lang }) => changeLanguage(widget, lang),
};
