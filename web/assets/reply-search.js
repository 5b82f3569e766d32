/** Which saved replies fit what is typed: by shortcut, then by name, then by what they say. */

const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** @template {{name: string, text: string, shortcut?: string, channels?: string[]}} Answer
 *  @param {Answer[]} answers @param {string} typed @param {string} [channel]  only replies for it, and for all
 *  @returns {Answer[]}  the best first; else in their order */
export function fittingReplies(answers, typed, channel) {
  const wanted = fold(typed.trim());
  const words = wanted.split(/\s+/).filter(Boolean);
  const rank = ({ name, text, shortcut = '' }) => {
    const [of, called, says] = [fold(shortcut), fold(name), fold(text)];
    if (of === wanted && wanted) return 0;
    if (of && of.startsWith(wanted)) return 1;
    if (called.startsWith(wanted)) return 2;
    if (words.every((word) => called.includes(word) || of.includes(word))) return 3;
    return words.every((word) => `${of} ${called} ${says}`.includes(word)) ? 4 : Infinity;
  };
  return answers
    .filter(({ channels }) => !channels || channel === undefined || channels.includes(channel))
    .map((answer, at) => ({ answer, at, rank: wanted ? rank(answer) : 0 }))
    .filter((one) => one.rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ answer }) => answer);
}
