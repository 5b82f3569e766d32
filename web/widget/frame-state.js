/**
 * Which screen the frame shows, and why. Pure: an input and a state make the next state, and what is to be done besides.
 *
 * | name           | what stands there                                                            |
 * |----------------|------------------------------------------------------------------------------|
 * | idle           | greeting, a new conversation, earlier ones (channels with several)            |
 * | consent        | the question before anything is written                                      |
 * | survey         | what the channel asks before a conversation                                  |
 * | chat           | a conversation; without `thread` one that begins with its first message      |
 * | closed, rating | a conversation that has ended; rating: which is asked about                   |
 * | away           | a live chat while nobody is there                                            |
 * | identityNeeded | the page around the frame must say who this is; `reason`                      |
 * | blocked        | nothing can be written; `reason`: the text that says why                     |
 *
 * @typedef {{mode: 'singlethread'|'multithread'|'liveChat', isPublic: boolean, hasSurvey: boolean, needsConsent: boolean,
 *            needsIdentity: boolean, isOnline: boolean, rates: boolean}} Rules
 * @typedef {{name: string, rules: Rules, session: boolean, identified: boolean, thread?: string, closed: boolean,
 *            reason?: string, rated: Record<string, true>}} State
 * @typedef {{do: 'needIdentity', reason: string}|{do: 'forget'}|{do: 'say', key: string}} Effect
 */

/** The state at the beginning. @param {Rules} rules @param {boolean} session  whether one is remembered @returns {[State, Effect[]]} */
export function start(rules, session) {
  return entrance({ name: 'idle', rules, session, identified: false, closed: false, rated: {} });
}

/** @param {State} state @param {{type: string, [member: string]: any}} input @returns {[State, Effect[]]} */
export function step(state, input) {
  const take = INPUTS[input.type];
  return take ? take(state, input) : [state, []];
}

/** Whether a conversation is on the screen, also one that is to begin. @param {State} state */
export const isInConversation = ({ name }) => ['chat', 'closed', 'rating'].includes(name);

const stay = (state, ...effects) => [state, effects];
const show = (state, name, more = {}) => stay({ ...state, reason: undefined, ...more, name });
const nowhere = { thread: undefined, closed: false };

/** Where one comes in, or back to. */
function entrance(state) {
  const { rules, session, identified } = state;
  if (!rules.isPublic && !session) return show(state, 'blocked', { ...nowhere, reason: 'problems.gone' });
  if (rules.needsConsent) return show(state, 'consent', nowhere);
  if (rules.needsIdentity && !session && !identified) return needIdentity(state, 'start');
  return rules.mode === 'multithread' ? show(state, 'idle', nowhere) : compose(state);
}

/** A new conversation. */
function compose(state) {
  const { rules } = state;
  if (rules.needsConsent) return show(state, 'consent', nowhere);
  if (rules.mode === 'liveChat' && !rules.isOnline) return show(state, 'away', nowhere);
  return show(state, rules.hasSurvey ? 'survey' : 'chat', nowhere);
}

function needIdentity(state, reason) {
  const [next] = show({ ...state, identified: false }, 'identityNeeded', { reason });
  return stay(next, { do: 'needIdentity', reason });
}

function converse(state, thread, closed) {
  const asks = closed && state.rules.rates && !state.rated[thread];
  return show(state, asks ? 'rating' : closed ? 'closed' : 'chat', { thread, closed });
}

const ruled = (state, rules) => ({ ...state, rules: { ...state.rules, ...rules } });

/** What a refusal of the gateway changes, by its code. */
const REFUSALS = {
  consentRequired: (state) => show(ruled(state, { needsConsent: true }), 'consent', nowhere),
  identityRequired: (state) => needIdentity(state, 'start'),
  invalidIdentity: (state) => needIdentity(state, 'invalid'),
  identityExpired: (state) => needIdentity(state, 'expired'),
  channelNotPublic: (state) => show(state, 'blocked', { ...nowhere, reason: 'problems.gone' }),
  originNotAllowed: (state) => show(state, 'blocked', { ...nowhere, reason: 'problems.gone' }),
  notConnected: (state) =>
    state.rules.mode === 'liveChat' ? show(ruled(state, { isOnline: false }), 'away', nowhere) : stay(state),
};

const INPUTS = {
  compose,
  back: entrance,
  pick: (state, { thread, closed }) => (state.rules.needsConsent ? stay(state) : converse(state, thread, closed)),
  agree: (state) => entrance(ruled(state, { needsConsent: false })),
  decline: (state) => show(state, 'blocked', { reason: 'consent.declined' }),
  reconsider: (state) => entrance(state),
  /** What was written earlier waits to be sent in a conversation that is not there yet. */
  resume: (state) => (state.name === 'idle' ? show(state, 'chat', nowhere) : stay(state)),
  /** The survey was taken: the conversation is there. */
  answered: (state, { thread }) => converse({ ...state, session: true }, thread, false),
  /** There is a session: begun here, or in another tab. */
  joined: (state) => stay({ ...state, session: true }),
  /** The first message has made its conversation. */
  made: (state, { thread }) => (state.name === 'chat' && !state.thread ? stay({ ...state, thread }) : stay(state)),
  /** The conversation on show has changed. */
  thread: (state, { thread, closed }) => {
    const isShown = state.thread === thread && isInConversation(state);
    return isShown && closed !== state.closed ? converse(state, thread, closed) : stay(state);
  },
  gone: (state, { thread }) =>
    state.thread === thread && isInConversation(state) ? withSaying(entrance(state), 'problems.gone') : stay(state),
  refused: (state, { code }) => (REFUSALS[code] ? REFUSALS[code](state) : stay(state)),
  /** The gateway does not take the session, or wants to know who this is. */
  unauthorized: (state, { code }) => {
    if (REFUSALS[code]) return REFUSALS[code](state);
    const [next, effects] = withSaying(entrance({ ...state, session: false, identified: false }), 'problems.gone');
    return stay(next, { do: 'forget' }, ...effects);
  },
  signedOut: (state) => entrance({ ...state, session: false, identified: false, rated: {} }),
  /** The page around has said who this is. */
  identified: (state) => {
    const next = { ...state, identified: true };
    return state.name !== 'identityNeeded' ? stay(next) : state.thread ? converse(next, state.thread, state.closed) : entrance(next);
  },
  /** Rules that came later: of a channel that is not public, or of one that has opened or closed. */
  rules: (state, { rules }) => {
    const next = ruled(state, rules);
    const isFresh = state.name === 'away' || (!state.thread && ['idle', 'chat'].includes(state.name));
    const hasModeChanged = rules.mode !== undefined && rules.mode !== state.rules.mode;
    const hasOpened = rules.isOnline !== undefined && rules.isOnline !== state.rules.isOnline;
    return isFresh && (hasModeChanged || (hasOpened && !state.session) || state.name === 'away') ? entrance(next) : stay(next);
  },
  rated: (state) => converse({ ...state, rated: { ...state.rated, [state.thread]: true } }, state.thread, state.closed),
};

function withSaying([state, effects], key) {
  return stay(state, ...effects, ...(state.reason === key ? [] : [{ do: 'say', key }]));
}
