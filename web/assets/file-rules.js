/** Which files a channel takes, checked before any is uploaded. The gateway checks again. */
import { fileSize, listed } from './format.js';
import { texts } from './texts.js';

/** @typedef {{isAttachmentsEnabled: boolean, maximumSize: number, allowedTypes: string[]}} FileRestrictions */

/** Why a file cannot go; undefined if it can, as far as the page knows.
 *  @param {{name: string, size: number, type: string}} file @param {FileRestrictions} [rules]
 *  @returns {string|undefined} */
export function refusal({ name, size, type }, rules) {
  if (!rules) return undefined;
  if (!allows(rules.allowedTypes, type || 'application/octet-stream')) return texts.files.wrongType({ name, kinds: kinds(rules.allowedTypes) });
  if (size === 0) return texts.files.empty({ name });
  if (size > rules.maximumSize) return texts.files.tooLarge({ name, size: fileSize(size), most: fileSize(rules.maximumSize) });
  return undefined;
}

/** Whether a type is one of those allowed, or below an allowed `type/*`. Parameters and case do not count.
 *  @param {string[]} allowed @param {string} type */
export function allows(allowed, type) {
  const essence = type.split(/[; ]/)[0].toLowerCase();
  return allowed.map((one) => one.toLowerCase()).some(
    (one) => one === '*/*' || one === essence || (one.endsWith('/*') && essence.startsWith(one.slice(0, -1))),
  );
}

/** The kinds of files in words; a type that has none is named as it is. @param {string[]} allowed */
function kinds(allowed) {
  return listed(allowed.map((one) => texts.files.kinds[one.toLowerCase()] ?? one));
}

/** For the `accept` of a file input; undefined: all. @param {FileRestrictions} [rules] */
export function accepted(rules) {
  const types = rules?.allowedTypes ?? [];
  return types.length && !types.includes('*/*') ? types.join(',') : undefined;
}
