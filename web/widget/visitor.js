/**
 * Who the visitor is to the gateway: the session that this browser remembers, begun when it is needed. All tabs share one.
 * Dispatches `change` (detail: {record, isSame, isOther}): there is another session, or none, or more is known of it (`isSame`);
 * `isOther`: it is somebody else's than before.
 */
import { door, SessionApi } from './api.js';
import { solve } from './proof.js';

const LOCK = 'parley.begin';
const IDENTITY = ['invalidIdentity', 'identityExpired', 'identityRequired'];

/** Whom a JWT names; undefined: nobody, or it is none. The gateway checks it, this only compares. @param {string} jwt */
export function subjectOf(jwt) {
  try {
    const bytes = Uint8Array.from(atob(jwt.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const { sub } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}

export class Visitor extends EventTarget {
  /** @type {{session: string, token: string, service?: string, sub?: string, consent?: string}|undefined} */
  record;
  /** @type {SessionApi|undefined} */
  api;
  /** The customer's id, as soon as it is known. @type {string|undefined} */
  customer;
  /** Under which ids the customer has written before. @type {string[]} */
  formerIds = [];
  #parts;
  #beginning;
  #tabs;
  #identifying;
  #jwt; // that waits for the beginning

  /** @param {{channel: string, store: import('./store.js').Store, proof: boolean, consent: () => string|undefined,
   *           visit: () => object, working: (isOn: boolean) => void, door?: typeof door, locks?: LockManager,
   *           open?: (record: object) => SessionApi, tabs?: BroadcastChannel}} parts
   *  `working`: told while the browser has to compute; `tabs`: how tabs tell each other */
  constructor(parts) {
    super();
    this.#parts = { door, open: (record) => new SessionApi(record), locks: globalThis.navigator?.locks, ...parts };
    this.#take(parts.store.visitor);
    this.#tabs = parts.tabs ?? tabs(parts.store.visitorKey);
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => this.#hear(data);
  }

  /** The session, begun if there is none yet; one at a time, over all tabs. @returns {Promise<SessionApi>} */
  async begin() {
    if (this.api) return this.api;
    this.#beginning ??= this.#alone(() => this.#begin()).finally(() => (this.#beginning = undefined));
    return this.#beginning;
  }

  /** Takes a JWT. One that names nobody, or comes while nothing may begin yet, waits for the beginning.
   *  @param {string} jwt @param {boolean} mayBegin */
  async identify(jwt, mayBegin) {
    const subject = subjectOf(jwt);
    this.#jwt = jwt;
    if ((!subject && !this.record) || (!this.record && !mayBegin)) return;
    if (!subject) return;
    this.#identifying = this.#alone(() => this.#identify(jwt, subject));
    await this.#identifying;
  }

  /** A JWT that could begin a session now. @returns {string|undefined} */
  get waiting() {
    return this.#jwt;
  }

  /** Keeps more about the visitor than the session. @param {{consent?: string}} more */
  remember(more) {
    this.record = { ...this.record, ...more };
    this.#parts.store.visitor = this.record;
  }

  /** The session is no more, or somebody else's: forgets it. */
  forget() {
    if (this.record) this.#keep(undefined);
  }

  /** Whether another session has taken the place of this one: its visitor has said who they are, here or in another tab. Waits
   *  for one that is about to. @param {string} [session] @returns {Promise<boolean>} */
  async hasMovedOn(session) {
    await this.#identifying?.catch(() => {}); // a browser may have no locks
    await this.#alone(() => {});
    const known = this.#parts.store.visitor;
    if (known && known.token !== this.record?.token) this.#hear({ record: known });
    return this.record !== undefined && this.record.session !== session;
  }

  /** Signs out: the session ends, and this browser forgets it. @returns {Promise<void>}  rejects if the gateway did not hear it */
  async end() {
    const { api } = this;
    this.#jwt = undefined;
    this.forget();
    try {
      await api?.end();
    } catch (error) {
      if (![401, 404].includes(error.status)) throw error;
    }
  }

  async #identify(jwt, subject) {
    const known = this.#parts.store.visitor ?? this.record;
    if (!known) return void (await this.#begin());
    try {
      const answer = await this.#parts.open(known).identify(jwt);
      this.#jwt = undefined;
      const next = { ...known, sub: subject, ...(answer?.token && { session: answer.session, token: answer.token }) };
      this.#keep(next, answer?.customer?.id);
    } catch (error) {
      if (IDENTITY.includes(error.code)) this.#jwt = undefined;
      const isOther = error.code === 'otherIdentity';
      if (!isOther && !(error.status === 401 && !IDENTITY.includes(error.code))) throw error;
      await this.#begin({ instead: known, isOther: isOther && known.sub !== undefined && known.sub !== subject });
      if (isOther) this.#parts.open(known).end().catch(() => {}); // its token shall open nothing any more
    }
  }

  /** @param {{instead?: object, isOther?: boolean}} [how]  `instead`: the session in whose place it comes */
  async #begin({ instead, isOther = false } = {}) {
    const { store, channel, consent, visit } = this.#parts;
    const known = store.visitor;
    // Another tab was faster.
    if (known && known.session !== instead?.session) return this.#keep(known);
    const jwt = this.#jwt;
    const body = { channel, visit: visit() };
    if (jwt) body.identity = jwt;
    if (consent()) body.consent = consent();
    const made = await this.#asked(body).catch((error) => {
      if (IDENTITY.includes(error.code)) this.#jwt = undefined;
      throw error;
    });
    this.#jwt = undefined;
    const record = { session: made.session, token: made.token, service: 'local', ...(consent() && { consent: consent() }) };
    if (made.verified && jwt) record.sub = subjectOf(jwt);
    const meanwhile = store.visitor;
    if (meanwhile && meanwhile.session !== instead?.session && meanwhile.session !== made.session) {
      this.#parts.open(record).end().catch(() => {});
      return this.#keep(meanwhile);
    }
    return this.#keep(record, made.customer?.id, isOther);
  }

  /** With the work that the gateway asks for. */
  async #asked(body) {
    const { door: way, channel, proof } = this.#parts;
    const first = proof ? { ...body, proof: await this.#solved(await way.challenge(channel)) } : body;
    try {
      return await way.begin(first);
    } catch (error) {
      const challenge = error.code === 'proofRequired' && error.problem?.challenge;
      if (!challenge) throw error;
      return way.begin({ ...body, proof: await this.#solved(challenge) });
    }
  }

  async #solved(challenge) {
    this.#parts.working(true);
    try {
      const number = await solve(challenge);
      return { salt: challenge.salt, challenge: challenge.challenge, signature: challenge.signature, number };
    } finally {
      this.#parts.working(false);
    }
  }

  /** While no other tab begins. A browser that refuses locks leaves it to chance; then the later one gives way. */
  async #alone(action) {
    let hasRun = false;
    const run = () => ((hasRun = true), action());
    try {
      return await (this.#parts.locks ? this.#parts.locks.request(LOCK, run) : run());
    } catch (error) {
      if (hasRun) throw error;
      return run();
    }
  }

  #keep(record, customer, isOther = false) {
    const isSame = record !== undefined && record.session === this.record?.session;
    this.#parts.store.visitor = record;
    this.#tabs?.postMessage({ record: record ?? null });
    this.#take(record, customer);
    this.#tell({ record, isSame, isOther });
    return this.api;
  }

  #take(record, customer) {
    if (!record || record.session !== this.record?.session) [this.customer, this.formerIds] = [customer, []];
    this.record = record;
    this.api = record && this.#parts.open(record);
  }

  /** Another tab has begun, or has signed out. */
  #hear({ record }) {
    if (record?.token === this.record?.token && record?.sub === this.record?.sub) return;
    const isSame = record?.token === this.record?.token;
    this.#take(record ?? undefined);
    if (isSame) return;
    // Without storage the tabs do not share, each keeps what it was told.
    if (record && !this.#parts.store.visitor) this.#parts.store.visitor = record;
    this.#tell({ record: record ?? undefined, isSame: false, isOther: false });
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent('change', { detail }));
  }
}

function tabs(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined; // the browser forbids it here
  }
}
