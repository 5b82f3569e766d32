/**
 * The types of the chat on the pages of a shop: `<script type="module" src="https://gateway.example/widget.js"></script>`
 * and one `<parley-chat channel="help"></parley-chat>`. What stands within the element shows as long as there is no chat,
 * and without script.
 *
 * Attributes: `channel`; `lang`, else the browser's languages choose among the channel's; `position` (`end` or `start`,
 * else the channel's); `launcher` (`auto`, or `none` for a page with a button of its own); `open`, which opens the chat
 * when it is set, and closes it when it is removed. It does not follow what visitors do: `isOpen` does.
 *
 * Style, at `:root` or at the element: `--parley-colour`, `--parley-on-colour`, `--parley-size` (56px),
 * `--parley-offset-x` and `--parley-offset-y` (20px), `--parley-width` (400px), `--parley-height` (640px),
 * `--parley-radius` (16px), `--parley-z` (2147483000), `--parley-font`; `::part(launcher)`, `::part(badge)` and
 * `::part(frame)`, which are parts of the element `parley-holder` beside the body.
 *
 * A page's Content-Security-Policy needs the gateway in `script-src` and `frame-src`, and nothing else.
 */
export interface ParleyChatElement extends HTMLElement {
  /** Of the protocol between page and frame. */
  readonly version: number;
  readonly isOpen: boolean;
  /** How many messages the visitor has not seen. */
  readonly unread: number;
  /** Opens the chat. @param thread the id of the conversation to show */
  open(thread?: string): void;
  close(): void;
  toggle(): void;
  /**
   * Says who the visitor is. A function is asked when the chat is opened, and again when its last JWT does not do, at most
   * once in 30 s; nothing means that nobody is signed in. Of several calls the last one counts.
   */
  identify(identity: string | (() => string | undefined | null | Promise<string | undefined | null>)): void;
  /** For the logout: ends the session, and forgets it on this device. Rejects if the chat cannot be reached. */
  shutdown(): Promise<void>;
  /** Writes into the visitor's field, without sending, and answers the survey's fields by their names. 16 kB at most. */
  prefill(given: { text?: string; fields?: Record<string, string> }): void;
}

/** Events of the element. They bubble. */
export interface ParleyChatEventMap {
  /** The frame is loaded. */
  'parley:ready': CustomEvent<undefined>;
  'parley:open': CustomEvent<undefined>;
  'parley:close': CustomEvent<undefined>;
  'parley:unread': CustomEvent<{ count: number }>;
  /** Somebody has written. `from`: `customer`, `agent`, ... */
  'parley:message': CustomEvent<{ from: string; id: string }>;
  'parley:rated': CustomEvent<{ score: number }>;
  /** A JWT is needed, and the page gives none that does. `start`: there was none. */
  'parley:identityexpired': CustomEvent<{ reason: 'start' | 'expired' | 'invalid' }>;
  /** `unreachable`: no settings came; `blocked`: no frame; `version`: an old frame; others are the frame's. */
  'parley:error': CustomEvent<{ code: string }>;
}

declare global {
  interface HTMLElementTagNameMap {
    'parley-chat': ParleyChatElement;
  }
  interface GlobalEventHandlersEventMap extends ParleyChatEventMap {}
}
