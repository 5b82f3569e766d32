/** Which files a channel takes, checked before any is uploaded. The gateway checks again. */

/** Why a file cannot go: a text's key and its values; undefined: it can, as far as the page knows.
 *  @param {{name: string, size: number, type: string}} file
 *  @param {{maximumSize: number, allowedTypes: string[]}|undefined} rules
 *  @param {(bytes: number) => string} size  how a size is written */
export function refusal({ name, size, type }, rules, sizeText) {
  if (size === 0) return ['files.empty', { name }];
  if (!rules) return undefined;
  if (!allows(rules.allowedTypes, type || 'application/octet-stream')) {
    return ['files.wrongType', { name, kinds: rules.allowedTypes.join(', ') }];
  }
  return size > rules.maximumSize ? ['files.tooLarge', { name, size: sizeText(rules.maximumSize) }] : undefined;
}

/** Whether a type is one of those allowed, or below an allowed `type/*`. Parameters and case do not count.
 *  @param {string[]} allowed @param {string} type */
export function allows(allowed, type) {
  const essence = type.split(/[; ]/)[0].toLowerCase();
  return allowed.map((one) => one.toLowerCase()).some(
    (one) => one === '*/*' || one === essence || (one.endsWith('/*') && essence.startsWith(one.slice(0, -1))),
  );
}

/** For the `accept` of a file input; undefined: all. @param {{allowedTypes?: string[]}} [rules] */
export function accepted(rules) {
  const types = rules?.allowedTypes ?? [];
  return types.length && !types.includes('*/*') ? types.join(',') : undefined;
}

/** How a file is shown. SVG is no picture here, because it may hold scripts and links.
 *  @param {string} type @returns {'image'|'audio'|'video'|'file'} */
export function kindOf(type) {
  if (/^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(type)) return 'image';
  if (/^audio\/(mpeg|mp4|aac|ogg|webm|wav|x-wav|flac|x-m4a)$/.test(type)) return 'audio';
  return /^video\/(mp4|webm|ogg|quicktime)$/.test(type) ? 'video' : 'file';
}
