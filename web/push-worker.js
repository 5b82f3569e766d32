/**
 * Shows pushes as notifications while no page is open, and leads a click to the message. A push is a declarative push message
 * (W3C Push API): {"web_push":8030,"notification":{"title","body","navigate","tag","lang"?,"dir"?,"silent"?,
 * "data":{"threadId","channelId"}}}; the link has the customer too where it leads to the desk.
 */
const ANSWER_TIME = 500; // milliseconds that a window has to say which conversation it shows
const DEVICES = 'parley.push'; // the cache that remembers whose subscription this browser's is
const LIST = '/devices'; // in it: {"page", "sessions": [ids], "desk"?: {"page", "id"}, "half"?: of the login}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(show(notice(event.data))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data?.link));
});
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

/** What a push says. Something must be shown for each, so what cannot be read becomes a notification without words. */
function notice(data) {
  let said;
  try {
    said = data?.json()?.notification;
  } catch {
    // Not JSON.
  }
  const { title, body, navigate, tag, lang, dir, silent, data: more } = said ?? {};
  const kept = { link: navigate, threadId: more?.threadId };
  const options = { body: body ?? '', icon: '/assets/icon.svg', lang, dir, silent, data: kept };
  for (const name of ['lang', 'dir', 'silent']) if (options[name] == null) delete options[name];
  const place = { threadId: more?.threadId, channelId: more?.channelId, customerId: customerOf(navigate) };
  // One notification for each conversation: the next takes its place, and says so.
  if (tag) Object.assign(options, { tag, renotify: true });
  return { title: title || 'New message', options, place };
}

/** Several customers may use one thread id: the desk's links say whose thread it is. */
function customerOf(link) {
  try {
    return new URL(link, self.location.href).searchParams.get('customer') ?? undefined;
  } catch {
    return undefined; // no address
  }
}

/** Browsers end a subscription whose pushes show nothing, unless the user sees a window of this origin. */
function show({ title, options, place }) {
  const asked = isOnShow(place);
  // In the order of the pushes, for the last one stays. Windows are asked meanwhile.
  shown = shown.catch(() => {}).then(async () => {
    if (!(await asked)) await self.registration.showNotification(title, options);
  });
  return shown;
}

let shown = Promise.resolve(); // when the last push is shown

async function isOnShow(place) {
  if (!place.threadId) return false;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const places = await Promise.all(windows.filter((one) => one.visibilityState === 'visible').map(shownPlace));
  return places.some((one) => Object.keys(place).every((name) => one?.[name] === place[name]));
}

/** A window's address is that which it was opened with, so it is asked. Answers {threadId, channelId, customerId}, the customer
 *  at the desk alone, or undefined. */
function shownPlace(client) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = setTimeout(() => finish(), ANSWER_TIME); // a page that does not know the question
    const finish = (place) => {
      clearTimeout(end);
      port1.close();
      resolve(place);
    };
    port1.onmessage = ({ data }) => finish(data);
    client.postMessage({ ask: 'thread' }, [port2]);
  });
}

/** Shows a window of the same page that is open, or opens one. */
async function lead(link) {
  const url = new URL(link ?? '/', self.location.href);
  if (url.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const pages = windows.filter((one) => new URL(one.url).pathname === url.pathname);
  const page = pages.find((one) => one.focused) ?? pages.find((one) => one.visibilityState === 'visible') ?? pages[0];
  if (!page) return self.clients.openWindow(url.href);
  page.postMessage({ link: url.href });
  await page.focus().catch(() => {}); // not every browser lets a worker, and the link is told
}

/** The browser has made another subscription, or ended the old one. A page that starts registers as well. */
async function renew({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options;
  const made = newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  const list = await (await (await caches.open(DEVICES)).match(LIST))?.json();
  if (!made || !list) return;
  const register = (method, path, page) => {
    const body = JSON.stringify({ kind: 'webPush', subscription: made.toJSON(), page });
    // A session may be no more; the others are told nevertheless.
    const headers = { 'Content-Type': 'application/json', ...(list.half && { 'Parley-Page': list.half }) };
    return fetch(path, { method, headers, body }).catch(() => {});
  };
  for (const session of list.sessions) await register('PUT', `/v1/sessions/${encodeURIComponent(session)}/device`, list.page);
  // A new device. The old one goes when its subscription is refused; the desk's page learns the new one at its next start.
  if (list.desk) await register('POST', '/v1/desk/devices', list.desk.page);
}
