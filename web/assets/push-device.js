/**
 * Lets this browser be told of messages while no page is open: the service worker, its subscription at the browser's push
 * service, and that subscription as the device of each session that this browser has.
 */
const WORKER = '/push-worker.js';
const DEVICES = 'parley.push'; // the cache in which the worker finds whose subscription it is
const LIST = '/devices'; // in it: {"page", "sessions": [ids]}
const PATIENCE = 20_000; // milliseconds; a browser that cannot reach its push service says nothing

export class PushDevice {
  #parley;

  /** @param {import('../parley.js').Parley} parley @param {() => string | undefined} shown  the conversation that is on show */
  constructor(parley, shown) {
    this.#parley = parley;
    globalThis.navigator?.serviceWorker?.addEventListener('message', ({ data, ports: [port] }) => {
      if (data?.ask === 'thread') port?.postMessage({ threadId: shown() });
    });
  }

  /** Registers this browser for a session, once more if it is already: subscriptions change. Without a push service the page
   *  still notifies while it is open. @param {string} session @returns {Promise<boolean>} whether pushes come */
  async follow(session) {
    if (!globalThis.navigator?.serviceWorker || !globalThis.PushManager) return false;
    try {
      const { applicationServerKey } = await this.#parley.push();
      const registration = await this.#registration();
      const subscription = await subscribe(registration.pushManager, applicationServerKey);
      const page = new URL('/', location.href).href;
      await this.#parley.session(session).device.set({ kind: 'webPush', subscription: subscription.toJSON(), page });
      const { sessions } = await remembered();
      await remember({ page, sessions: [...new Set([...sessions, session])] });
      return true;
    } catch {
      return false; // this browser has no push service, or it is away: the next start of the page tries again
    }
  }

  /** This browser gets no pushes any more, of no session. */
  async end() {
    if (!globalThis.navigator?.serviceWorker || !globalThis.PushManager) return;
    const { page, sessions } = await remembered();
    await remember({ page, sessions: [] });
    await Promise.allSettled(sessions.map((session) => this.#parley.session(session).device.delete()));
    const registration = await navigator.serviceWorker.getRegistration(WORKER);
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  }

  async #registration() {
    await navigator.serviceWorker.register(WORKER);
    return within(navigator.serviceWorker.ready);
  }
}

/** The browser's subscription for this key; one for another key, as of another gateway at this address, is ended. */
async function subscribe(pushes, key) {
  const known = await pushes.getSubscription();
  if (known && base64URL(known.options.applicationServerKey) === key) return known;
  await known?.unsubscribe();
  return within(pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

const base64URL = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? []))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function within(promise) {
  let timer;
  const end = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error('no answer')), PATIENCE)));
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
}

async function remembered() {
  const answer = await (await caches.open(DEVICES)).match(LIST);
  return answer ? answer.json() : { sessions: [] };
}

const remember = async (list) => (await caches.open(DEVICES)).put(LIST, new Response(JSON.stringify(list)));
