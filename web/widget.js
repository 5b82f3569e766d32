/**
 * The loader of the customers' chat. `<parley-chat channel="help">` gets a button, and a panel with a page of the gateway
 * in a frame, which is loaded when somebody is about to open it. A page has one chat, so its state is the module's. All
 * pages of a shop load this file: it is small. widget.d.ts describes the element.
 */
const GATEWAY = new URL(import.meta.url).origin;
const VERSION = 1; // of the protocol
const PATIENCE = 10_000;
const LARGEST = 16_384; // characters of a message
const SEEN = 'parley.seen'; // in the page's storage: somebody has written here
const PHONE = matchMedia('(max-width: 479.98px), (max-height: 479.98px) and (pointer: coarse)');

/** Language and script, as zh and Hans of `zh-CN`. */
const script = (tag) => {
  try {
    const likely = new Intl.Locale(tag).maximize();
    return likely.language + likely.script;
  } catch {}
};

/** The language for the first wish that has one. `pt` finds `pt-BR`; `zh-TW`, of another script, does not find `zh-Hans`. */
export function chooseLanguage(wishes, languages) {
  for (const wish of wishes) {
    const near = languages.filter((one) => script(one) === script(wish));
    const exact = near.filter((one) => `${wish}-`.toLowerCase().startsWith(`${one}-`.toLowerCase()));
    if (near.length) return exact.sort((a, b) => b.length - a.length)[0] ?? near[0];
  }
  return languages[0];
}

/** A text with a count: one form, or one for each plural category of the language. */
export const counted = (text, count, lang) =>
  (text[new Intl.PluralRules(lang).select(count)] ?? text.other ?? text).replace('{count}', count.toLocaleString(lang));

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isWord = (value) => typeof value === 'string' && /^[\w.:-]{1,128}$/.test(value);
const isToken = (value) => typeof value === 'string' && value && value.length <= 8192;
const FROM_FRAME = new Map(Object.entries({
  ready: { version: isCount, unread: isCount, lang: isWord },
  needIdentity: { reason: (value) => ['start', 'expired', 'invalid'].includes(value) },
  done: { id: isCount, ok: (value) => typeof value === 'boolean', code: (value = 'failed') => isWord(value) },
  unread: { count: isCount },
  message: { from: isWord, id: isWord },
  closing: {},
  rated: { score: isCount },
  error: { code: isWord },
}));

/** Characters of a value as JSON; what has no JSON is too large. */
const sizeOf = (data) => {
  try {
    return JSON.stringify(data).length;
  } catch {
    return Infinity;
  }
};

/** The known members of a message from the frame; undefined for another type, or if something is not as it must be. */
export function readMessage(data) {
  if (!data || sizeOf(data) > LARGEST) return undefined;
  const rules = Object.entries(FROM_FRAME.get(data.type) ?? { type: () => false });
  if (!rules.every(([name, isRight]) => isRight(data[name]))) return undefined;
  return Object.fromEntries([['type'], ...rules].map(([name]) => [name, data[name]]));
}

/** Answers whether one more may pass: at most `most` in a second. */
export function limit(most, now = () => performance.now()) {
  let [since, count] = [-Infinity, 0];
  return () => {
    if (now() - since >= 1000) [since, count] = [now(), 0];
    return ++count <= most;
  };
}

const make = (name, members, ...children) => {
  const one = Object.assign(document.createElement(name), members);
  one.append(...children);
  return one;
};

const css = ([text]) => {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
};

// What is important in a shadow root is stronger than all that the page says of the holder.
const STYLE = css`
:host { all: initial !important; position: fixed !important; z-index: var(--parley-z, 2147483000) !important; color-scheme: light dark !important }
.root {
  --size: max(44px, var(--parley-size, 56px));
  --x: calc(var(--parley-offset-x, 20px) + max(env(safe-area-inset-left), env(safe-area-inset-right)));
  --y: calc(var(--parley-offset-y, 20px) + env(safe-area-inset-bottom) + var(--keyboard, 0px));
  --above: calc(var(--y) + var(--size) + 12px);
  font: 16px/1.5 var(--parley-font, system-ui, sans-serif); color: CanvasText;
}
.bare { --above: var(--y) }
.root > * { position: fixed; bottom: var(--y); inset-inline-end: var(--x); box-shadow: 0 4px 24px #0006, 0 0 0 1px #8884 }
.start > * { inset-inline: var(--x) auto }
button { width: 44px; height: 44px; border: 0; padding: 0; border-radius: 50%; display: grid; place-items: center; font: inherit; cursor: pointer; color: inherit; background: none }
button::before { content: ''; width: 24px; height: 24px; background: currentcolor; clip-path: path('M4 2h16a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H10l-6 5v-5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3z') }
.open button::before { clip-path: path('M3 1l9 9 9-9 2 2-9 9 9 9-2 2-9-9-9 9-2-2 9-9-9-9z') }
button:focus-visible, a:focus-visible { outline: 3px solid #fff; box-shadow: 0 0 0 6px #000 }
.root > button { width: var(--size); height: var(--size); background: var(--parley-colour, var(--colour)); color: var(--parley-on-colour, var(--on-colour)) }
span { position: absolute; top: -4px; inset-inline-end: -4px; padding: 0 7px; border-radius: 11px; background: #b3261e; color: #fff; font-size: 13px; line-height: 22px }
section {
  margin-bottom: calc(var(--above) - var(--y)); width: min(var(--parley-width, 400px), 100vw - 2 * var(--x)); height: min(var(--parley-height, 640px), 100dvh - var(--above) - 12px);
  overflow: hidden; visibility: hidden; outline: 0; border-radius: var(--parley-radius, 16px); background: Canvas;
}
.open section { visibility: visible; animation: rise 0.2s }
.phone section { inset: var(--top, 0) 0 auto; margin: 0; width: 100%; height: var(--height, 100dvh); box-sizing: border-box; border-radius: 0; padding-block: env(safe-area-inset-top) env(safe-area-inset-bottom) }
iframe { width: 100%; height: 100%; border: 0 }
.wait iframe { opacity: 0 }
section button { position: absolute; top: 6px; inset-inline-end: 6px }
section div { display: none; padding: 56px 24px }
.failed div { display: block }
.failed iframe, .ready section button, .bare > button, .phone.open > button, span:empty { display: none }
.wait section::after { content: ''; position: absolute; inset: calc(50% - 16px); border: 3px solid; border-top-color: #0000; border-radius: 50%; animation: turn 1s linear infinite }
output { width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
@keyframes rise { from { opacity: 0; translate: 0 12px } }
@keyframes turn { to { rotate: 1turn } }
@media (prefers-reduced-motion) { section, section::after { animation: none !important } }
@media (forced-colors) { .root > *, span { border: 2px solid } button::before { forced-color-adjust: none; background: ButtonText } }
@media print { :host { display: none !important } }
`;
const STILL = css`html { overflow: hidden !important }`;
const LOOKS = 'colour on-colour size offset-x offset-y width height radius z font'.split(' ').map((one) => `--parley-${one}`);
const html = document.documentElement;

const badge = make('span', { part: 'badge', ariaHidden: true });
const button = make('button', { part: 'launcher', ariaHasPopup: 'dialog' }, badge);
const problem = make('p');
const link = make('a', { target: '_blank', rel: 'noopener' });
const leave = make('button');
const panel = make('section', { role: 'dialog', tabIndex: -1 }, make('div', {}, problem, link), leave);
const region = make('output'); // what it says is announced
const root = make('div', {}, button, panel, region);
const holder = make('parley-holder');
Object.assign(holder.attachShadow({ mode: 'open' }), { adoptedStyleSheets: [STYLE] }).append(root);

let owner; // the element that speaks for the chat
let channel, config, lang;
let frame, port, ports = []; // the frame chooses a port when it is ready
let state = ''; // of the frame: wait, ready, failed
let isOpen = false;
let unread = 0;
let wish; // how to open, as soon as that can be done
let identity, asked, filling; // what the page has given
let told; // what the frame knows of the page
let opener; // had the focus before
let leaving, greeting, patience, telling; // timers
let number = 0;
const calls = new Map(); // of `shutdown`
const inert = new Set();

const emit = (name, detail) => owner?.dispatchEvent(new CustomEvent(`parley:${name}`, { bubbles: true, composed: true, detail }));
const send = (type, data) => port?.postMessage({ type, ...data });

function refuse(code) {
  for (const id of calls.keys()) finish({ id, code });
  emit('error', { code });
}

/** The element speaks for the chat from now on, maybe after another one, whose body was replaced. */
function adopt(element) {
  if (owner?.isConnected && owner !== element) return console.warn('parley-chat: one is enough; this one does nothing');
  clearTimeout(leaving);
  owner = element;
  if (element.hasAttribute('open')) wish = { focus: false };
  if (element.getAttribute('channel') === channel) update();
  else begin(element.getAttribute('channel'));
}

async function begin(name) {
  end();
  channel = name;
  if (!name) return;
  link.href = `${GATEWAY}/widget/${encodeURIComponent(name)}`;
  const late = setTimeout(refuse, PATIENCE, 'unreachable');
  try {
    const settings = await import(`${link.href}/config.js`);
    if (channel === name) config = settings.default;
    update();
  } catch (error) {
    console.warn('parley-chat:', error);
    channel = undefined; // so that the next element tries again
    refuse('unreachable');
  }
  clearTimeout(late);
}

function end() {
  drop();
  give();
  holder.remove();
  owner?.shadowRoot.replaceChildren(make('slot')); // the content shows where there is no chat
  channel = config = undefined;
  isOpen = false;
  unread = 0;
}

/** The settings have come, or the element or its attributes have changed. */
function update() {
  if (!config || !owner) return;
  owner.shadowRoot.replaceChildren();
  if (!holder.isConnected) html.append(holder); // beside the body, which some pages replace
  lang = chooseLanguage([owner.getAttribute('lang') ?? '', ...navigator.languages], config.languages);
  send('lang', { lang });
  render();
  if (wish) open(wish);
  if (calls.size) load();
  if (document.readyState === 'complete') loadEarly();
}

function render() {
  const { colour, onColour, position, showBubble } = config.appearance;
  const text = config.launcher[lang];
  const isModal = isOpen && PHONE.matches;
  const isBare = showBubble === false || owner.getAttribute('launcher') === 'none';
  root.className = ['root', state, owner.getAttribute('position') ?? position, isOpen && 'open', PHONE.matches && 'phone', isBare && 'bare'].join(' ');
  Object.assign(root, { lang, dir: text.dir });
  root.style.setProperty('--colour', colour);
  root.style.setProperty('--on-colour', onColour);
  const [own, common] = [owner, html].map((one) => getComputedStyle(one));
  for (const name of LOOKS) {
    const value = own.getPropertyValue(name);
    holder.style.setProperty(name, value === common.getPropertyValue(name) ? '' : value); // the root's are inherited
  }
  button.ariaExpanded = isOpen;
  button.ariaLabel = isOpen ? text.close : unread ? counted(text.openUnread, unread, lang) : text.open;
  badge.textContent = isOpen || !unread ? '' : unread > 99 ? '99+' : unread;
  Object.assign(panel, { ariaLabel: text.label, ariaModal: isModal });
  leave.ariaLabel = text.close;
  problem.textContent = text.cannotLoad;
  link.textContent = text.openPage;
  if (frame) frame.title = text.label;
  if (isModal) take();
  else give();
  fit();
}

/** Keeps the panel clear of the keyboard on the screen. */
function fit() {
  const { height, offsetTop: top, scale } = visualViewport;
  if (scale > 1.01) return; // by two fingers
  const covered = html.clientHeight - height - top;
  const values = { top, height, keyboard: isOpen && covered > 100 ? covered : 0 };
  for (const name in values) root.style.setProperty(`--${name}`, `${values[name]}px`);
}

/** Takes the page behind the chat out of reach; `give` leaves it as it was. */
function take() {
  for (const one of html.children) {
    if (one === holder || one.inert) continue;
    one.inert = true;
    inert.add(one);
  }
  if (!document.adoptedStyleSheets.includes(STILL)) document.adoptedStyleSheets.push(STILL);
}

function give() {
  for (const one of inert) one.inert = false;
  inert.clear();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== STILL);
}

/** Without `focus` the focus stays where it is: the page opens the chat, not the visitor. */
function open({ thread, focus = true } = {}) {
  wish = { thread, focus };
  if (!config) return;
  load();
  const wasOpen = isOpen;
  if (!wasOpen) opener = document.activeElement;
  isOpen = true;
  render();
  enter();
  if (!wasOpen) emit('open');
}

/** The frame moves the focus into its field; the panel has it until the frame is ready. */
function enter() {
  const focus = wish.focus || PHONE.matches;
  send('open', { ...wish, focus });
  if (focus && !port) panel.focus();
  if (!port) return;
  wish = undefined;
  if (focus) setTimeout(help, 250, 3);
}

/** In Firefox a frame that was hidden cannot take the focus at once. One that never takes it gets it from here. */
function help(tries) {
  const isHere = [holder, opener].includes(document.activeElement); // else the visitor has gone on in the page
  if (!isOpen || !port || !isHere || holder.shadowRoot.activeElement === frame) return;
  if (!tries) return frame.focus();
  send('open', { focus: true });
  setTimeout(help, 250, tries - 1);
}

function close() {
  wish = undefined;
  if (!isOpen) return;
  const hadFocus = PHONE.matches || document.activeElement === holder;
  isOpen = false;
  render();
  send('close');
  if (hadFocus) (button.checkVisibility() ? button : opener)?.focus();
  emit('close');
}

const toggle = () => (isOpen || wish ? close() : open());

/** Loads the frame, if it is not there or has failed. */
function load() {
  if (!config || (frame && state !== 'failed')) return;
  drop();
  frame = make('iframe', { part: 'frame', allow: 'clipboard-write', referrerPolicy: 'origin', src: `${link.href}?frame=1&lang=${lang}`, onload: greet });
  panel.prepend(frame);
  expect();
}

function expect() {
  state = 'wait';
  patience = setTimeout(fail, PATIENCE, 'blocked');
  render();
}

/** Whoever has written here may have an answer, which the badge tells. The page comes first. */
const loadEarly = () => seen() && (window.requestIdleCallback ?? setTimeout)(load);

function drop() {
  hangUp();
  clearTimeout(patience);
  frame?.remove();
  frame = undefined;
  state = '';
}

function hangUp() {
  clearInterval(greeting);
  for (const one of ports) one.close();
  ports = [];
  port = undefined;
}

function fail(code) {
  clearTimeout(patience);
  state = 'failed';
  render();
  if (isOpen) region.textContent = problem.textContent;
  refuse(code);
}

/** Offers a port until the frame is ready: its script may not listen yet. */
function greet() {
  if (port) expect(); // it was loaded anew
  hangUp();
  const hello = () => {
    const { port1, port2 } = new MessageChannel();
    const mayPass = limit(50);
    port1.onmessage = ({ data }) => mayPass() && hear(port1, readMessage(data));
    told = here();
    frame.contentWindow.postMessage({ parley: VERSION, type: 'hello', ...told, lang, open: isOpen }, GATEWAY, [port2]);
    if (ports.push(port1) === 5) clearInterval(greeting);
  };
  greeting = setInterval(hello, 500);
  hello();
}

function hear(from, { type, ...data } = {}) {
  if (!port && (type === 'ready' || type === 'error')) start(from, data);
  else if (from !== port) return;
  else if (type === 'unread') count(data.count);
  else if (type === 'closing') close();
  else if (type === 'needIdentity' && (data.reason !== 'start' || !identity)) introduce(data.reason);
  else if (type === 'done') finish(data);
  else if (type && type !== 'needIdentity' && type !== 'ready') {
    if (type === 'message') seen('1');
    emit(type, data);
  }
}

function start(from, data) {
  clearInterval(greeting);
  if (data.version !== VERSION) return fail(data.code ?? 'version');
  clearTimeout(patience);
  port = from;
  state = 'ready';
  region.textContent = '';
  render();
  if (data.lang !== lang) send('lang', { lang });
  for (const id of calls.keys()) send('shutdown', { id });
  introduce();
  if (filling) prefill(filling);
  count(data.unread);
  emit('ready');
  if (!isOpen) return;
  wish = { ...wish, focus: document.activeElement === holder }; // else the visitor has gone on in the page
  enter();
}

function count(now) {
  const before = unread;
  if (now === before) return;
  unread = now;
  render();
  if (!before || !now) region.textContent = now && !isOpen ? button.ariaLabel : '';
  emit('unread', { count: now });
}

/** Reads the page's storage, or writes it. Some pages have none. */
function seen(value) {
  try {
    if (value) localStorage.setItem(SEEN, value);
    if (value === '') localStorage.removeItem(SEEN);
    return localStorage.getItem(SEEN);
  } catch {}
}

/** Where the visitor is. Queries and fragments may be secrets of the page. */
const here = () => ({ page: (location.origin + location.pathname).slice(0, 2048), title: document.title.slice(0, 512) });

/** Tells where the visitor has gone, at most once a second: by then the page has its title. */
function tellPage() {
  telling ??= setTimeout(() => {
    telling = undefined;
    const { page: url, title } = here();
    if (url !== told?.page || title !== told.title) send('page', { url, title });
    told = { page: url, title };
  }, 1000);
}

function identify(source) {
  if (typeof source !== 'function' && !isToken(source)) throw new TypeError('identify takes a JWT, or a function for one');
  identity = source;
  asked = undefined;
  introduce();
}

/** Gives the frame a JWT, if there is one. A function is asked at most once in 30 s. `reason`: what was wrong with the last one. */
async function introduce(reason) {
  if (!port) return;
  const [source, to] = [identity, port];
  const isFunction = typeof source === 'function';
  const isRecent = performance.now() - asked?.at < 30_000;
  let jwt;
  if (!reason || (isFunction && !isRecent)) {
    if (!isRecent) asked = { at: performance.now(), jwt: (async () => (isFunction ? source() : source))() };
    jwt = await asked.jwt.catch((error) => console.warn('parley-chat:', error));
  }
  if (source !== identity || to !== port) return;
  if (isToken(jwt)) send('identify', { jwt });
  else if (reason) emit('identityexpired', { reason });
}

function shutdown() {
  identity = asked = filling = undefined;
  close();
  load();
  return new Promise((done, fail) => {
    const id = ++number;
    calls.set(id, { done, fail });
    setTimeout(finish, 2 * PATIENCE, { id, code: 'timeout' });
    send('shutdown', { id });
  });
}

function finish({ id, ok, code }) {
  if (ok) {
    seen('');
    count(0);
    calls.get(id)?.done();
  } else calls.get(id)?.fail(new Error(`parley-chat: ${code}`));
  calls.delete(id);
}

function prefill({ text = '', fields = {} }) {
  filling = { text, fields };
  if (![text, ...Object.values(fields)].every((one) => typeof one === 'string')) throw new TypeError('prefill takes texts');
  if (sizeOf(filling) > LARGEST - 100) throw new RangeError('prefill takes 16 kB');
  send('prefill', filling);
  if (port) filling = undefined;
}

const VERBS = { open: (thread) => open({ thread: isWord(thread) ? thread : undefined }), close, toggle, identify, shutdown, prefill };

class ParleyChat extends HTMLElement {
  static observedAttributes = ['channel', 'lang', 'position', 'launcher', 'open'];

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(make('slot'));
    for (const name in VERBS) {
      const verb = (given) => (owner ?? this) === this && VERBS[name](given);
      // React and Vue set a property where an attribute and a member have one name: it must not take the place of the verb.
      Object.defineProperty(this, name, { get: () => verb, set: (value) => name === 'open' && this.toggleAttribute(name, Boolean(value)) });
    }
  }

  get version() {
    return VERSION;
  }

  get isOpen() {
    return owner === this && isOpen;
  }

  get unread() {
    return owner === this ? unread : 0;
  }

  connectedCallback() {
    adopt(this);
  }

  disconnectedCallback() {
    if (owner === this) leaving = setTimeout(depart, 100); // the next element may come at once
  }

  attributeChangedCallback(name) {
    if (owner !== this || !this.isConnected) return;
    if (name === 'channel') begin(this.getAttribute(name));
    else if (name !== 'open') update();
    else if (this.hasAttribute(name)) open({ focus: Boolean(navigator.userActivation?.isActive) });
    else close();
  }
}

function depart() {
  owner = undefined;
  const next = document.querySelector('parley-chat');
  if (next) return adopt(next);
  end();
  identity = filling = wish = undefined;
}

function listen(target, names, act) {
  for (const name of names.split(' ')) target?.addEventListener(name, (event) => config && act(event), { passive: true });
}

listen(button, 'pointerenter focus touchstart', load);
listen(button, 'click', toggle);
listen(leave, 'click', close);
listen(root, 'keydown', ({ key }) => key === 'Escape' && close());
listen(PHONE, 'change', render);
listen(visualViewport, 'resize scroll', fit);
listen(window.navigation, 'currententrychange', tellPage);
listen(window, 'popstate hashchange', tellPage);
listen(window, 'load storage', loadEarly);
listen(document, 'visibilitychange', () => send('visible', { visible: !document.hidden }));
if (!customElements.get('parley-chat')) customElements.define('parley-chat', ParleyChat);
