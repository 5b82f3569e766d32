/** Trusted Types (W3C): by the pages' policy no text becomes a script's address, except here. */

const WORKERS = /^\/(push-worker|(web\/[^/]+\/)?assets\/stream-worker)\.js$/;

/** Throws `TypeError` for what is no worker of the gateway's. @param {string | URL} address */
export function workerAddress(address) {
  const { origin, pathname, href } = new URL(address, location.href);
  if (origin === location.origin && WORKERS.test(pathname)) return href;
  throw new TypeError(`There is no module of the gateway at ${address}`);
}

let policy; // made once, for a page may have no second one of this name

/** The address of a worker's script in the form that the browser takes. @param {string | URL} address */
export function scriptAddress(address) {
  if (!globalThis.trustedTypes) return workerAddress(address);
  policy ??= trustedTypes.createPolicy('parley', { createScriptURL: workerAddress });
  return policy.createScriptURL(String(address));
}
