/* @ts-self-types="./parley.d.ts" */
/**
 * Parley's client library for browsers, Deno and Node 20 (before 20.19: with a package.json that says `"type": "module"`).
 * It is made of ES modules without dependencies: this entry and the folder `parley/` beside it. Its types are in
 * `parley.d.ts`.
 *
 *     import { Parley } from './parley.js';
 *     const parley = new Parley({ baseURL: 'http://127.0.0.1:8787', token });
 *     const session = parley.session((await parley.sessions.create({ channel: 'multi' })).id);
 *     const { id } = await session.threads.create();
 *     await session.thread(id).messages.send({ text: 'Hello' });
 *     for await (const event of session.events()) console.log(event.type, event.data);
 *
 * In a page served by Parley itself `new Parley()` is enough: the browser's login stands for the token.
 */
export { applyCollectionEvent, itemKey } from './parley/collection-events.js';
export { ParleyError } from './parley/errors.js';
export { EventStreamParser } from './parley/event-stream-parser.js';
export { Parley } from './parley/gateway.js';
export { compareCursors, newId } from './parley/identifiers.js';
export { allItems } from './parley/pages.js';
export { versionOf } from './parley/transport.js';
