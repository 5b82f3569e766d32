/**
 * Lets this browser be told of messages while no page is open: the service worker, its subscription at the browser's push
 * service, and that subscription as the device of each session that this browser has, and as a device of the desk.
 */
import { pageHalf } from '../parley/page-half.js';
import { scriptAddress } from './trusted.js';

const WORKER = '/push-worker.js';
const DEVICES = 'parley.push'; // the cache in which the worker finds whose subscription it is
const LIST = '/devices'; // in it: {"page", "sessions": [ids], "desk"?: {"page", "id"}, "half"?: of the login}
const PATIENCE = 20_000; // milliseconds; a browser that cannot reach its push service says nothing

export class PushDevice {
  #parley;

  /** @param {import('../parley.js').Parley} parley
   *  @param {() => {threadId: string, channelId: string, customerId?: string} | undefined} shown  the conversation that is on
   *  show; at the desk with its customer, for several may use one thread id */
  constructor(parley, shown) {
    this.#parley = parley;
    globalThis.navigator?.serviceWorker?.addEventListener('message', ({ data, ports: [port] }) => {
      if (data?.ask === 'thread') port?.postMessage(shown());
    });
  }

  /** Registers this browser for a session, also if it is registered already, because subscriptions change. Without a push
   *  service the page still notifies while it is open. @param {string} session @returns {Promise<boolean>} whether pushes come */
  follow(session) {
    return alone(async () => {
      const page = new URL('/', location.href).href;
      const made = await this.#register(page, (body) => this.#parley.session(session).device.set(body));
      if (!made) return false;
      const { sessions, ...rest } = await remembered();
      await remember({ ...rest, page, sessions: [...new Set([...sessions, session])] });
      return true;
    });
  }

  /** Registers this browser at the desk, likewise. @returns {Promise<string|undefined>} the device's id, if pushes come */
  followDesk() {
    return alone(async () => {
      const page = new URL('/desk', location.href).href;
      const device = await this.#register(page, (body) => this.#parley.desk.devices.create(body));
      if (device) await remember({ ...(await remembered()), desk: { page, id: device.id } });
      return device?.id;
    });
  }

  /** The device of the desk that this browser is, as far as it remembers. @returns {Promise<string|undefined>} */
  async deskDevice() {
    return canPush() ? (await remembered()).desk?.id : undefined;
  }

  /** This browser gets no pushes any more, of no session. */
  end() {
    return alone(async () => {
      if (!canPush()) return;
      const { sessions, ...rest } = await remembered();
      await remember({ ...rest, sessions: [] });
      await Promise.allSettled(sessions.map((session) => this.#parley.session(session).device.delete()));
      if (!rest.desk) await unsubscribe();
    });
  }

  /** This browser gets no pushes of the desk any more. */
  endDesk() {
    return alone(async () => {
      if (!canPush()) return;
      const { desk, ...rest } = await remembered();
      await remember(rest);
      if (desk) await Promise.allSettled([this.#parley.desk.device(desk.id).delete()]);
      if (rest.sessions.length === 0) await unsubscribe();
    });
  }

  /** @param {string} page  where a click on a notification leads @param {(body: object) => Promise<object>} tell  the gateway */
  async #register(page, tell) {
    if (!canPush()) return undefined;
    try {
      const { applicationServerKey } = await this.#parley.push();
      const registration = await this.#registration();
      const subscription = await subscribe(registration.pushManager, applicationServerKey);
      return await tell({ kind: 'webPush', subscription: subscription.toJSON(), page });
    } catch {
      return undefined; // this browser has no push service, or it is away: the next start of the page tries again
    }
  }

  async #registration() {
    await navigator.serviceWorker.register(scriptAddress(WORKER));
    return within(navigator.serviceWorker.ready);
  }
}

/** One after the other in all tabs, which share the subscription and the list of whose it is. Service workers and locks exist
 *  on the same pages: secure ones. */
const alone = (action) => globalThis.navigator?.locks?.request(DEVICES, action) ?? action();

const canPush = () => Boolean(globalThis.navigator?.serviceWorker && globalThis.PushManager);

/** The browser's subscription for this key; one for another key, as of another gateway at this address, is ended. */
async function subscribe(pushes, key) {
  const known = await pushes.getSubscription();
  if (known && base64URL(known.options.applicationServerKey) === key) return known;
  if (known) await within(known.unsubscribe());
  return within(pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

async function unsubscribe() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  const known = await registration?.pushManager.getSubscription();
  // The gateway has forgotten this device already: nothing is lost if the push service does not answer.
  if (known) await within(known.unsubscribe()).catch(() => {});
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
  return { sessions: [], ...(await answer?.json()) };
}

/** With the half of the login, for a worker cannot read the page's storage. */
const remember = async (list) =>
  (await caches.open(DEVICES)).put(LIST, new Response(JSON.stringify({ ...list, half: pageHalf(location.origin) })));
