// A chat by the client that openapi-generator makes for TypeScript. What it found goes to stdout as JSON.
import {
  CollectionKind, CollectionsApi, Configuration, DeskApi, EventsApi, MessagesApi, ProblemFromJSON, ResponseError, SessionsApi, ThreadsApi,
} from './typescript';
import type { LoggedMessageCreated, Message } from './typescript';

declare const process: { env: { [name: string]: string } };

async function chat() {
  const basePath = process.env.PARLEY_GATEWAY;
  const gateway = new Configuration({ basePath, accessToken: process.env.PARLEY_TOKEN });
  const session = await new SessionsApi(gateway).createSession({
    sessionRequest: { channel: process.env.CHANNEL, customer: { firstName: 'Ann' } },
  });

  // From here on as a program that was given the session alone.
  const mine = new Configuration({ basePath, accessToken: session.token });
  const threads = new ThreadsApi(mine);
  const messages = new MessagesApi(mine);
  const { id: thread } = await threads.createThread({ session: session.id, threadRequest: { name: 'Generated' } });
  const at = { session: session.id, thread };
  const sent: Message[] = [];
  for (let count = 0; count < 2; count += 1) {
    sent.push(await messages.sendMessage({ ...at, messageRequest: { text: 'Hello' }, idempotencyKey: `key-${thread}` }));
  }
  const agent = { id: 'eve', name: 'Eve' };
  const answer = await new DeskApi(gateway).sendDeskMessage({ thread, deskMessageRequest: { text: 'Hi', agent } });
  // Of a union, TypeScript has the members of all its branches.
  const page = await messages.listMessages({ ...at, limit: 1 });
  const rest = await messages.listMessages({ ...at, limit: 1, cursor: page.next });
  const reply = await messages.sendReply({ ...at, message: answer.id, replyRequest: { text: 'Thanks' } });
  const replies = await messages.listReplies({ ...at, message: answer.id, from: reply.createdAt.toISOString(), inclusive: true });
  const collections: CollectionKind[] = [];
  for (const viewpoint of [1777887000000, '2026-05-04T09:30:00Z']) {
    const collectionRequest = { kind: CollectionKind.Messages, threadId: thread, viewpoint };
    collections.push((await new CollectionsApi(mine).createCollection({ session: session.id, collectionRequest })).kind);
  }
  const events = await new EventsApi(mine).streamSessionEvents({ session: session.id, after: session.cursor, limit: 100 });
  const file = await messages.uploadAttachment({ session: session.id, file: new File([new Uint8Array([99, 97, 102, 0xe9])], 'plan.txt') });
  const content = await messages.getAttachment({ session: session.id, attachment: file.id });
  const renamed = await threads.updateThread({ ...at, threadPatch: { name: null } });
  const failure = await threads.getThread({ session: session.id, thread: 'none' }).then(() => undefined, (error: unknown) => error);
  if (!(failure instanceof ResponseError)) throw new Error(`no problem, but ${failure}`);
  const problem = ProblemFromJSON(await failure.response.json());

  console.log(JSON.stringify({
    customer: session.customer.firstName,
    repeated: sent[0].id === sent[1].id,
    texts: [page.items[0].text, rest.items[0].text],
    author: [page.items[0].author.name, page.items[0].direction],
    replies: [replies.parent.text, replies.items[0].text, replies.items[0].parentId === answer.id],
    collections,
    events: events.items.map((each) => each.type).slice(0, 2),
    event: (events.items[1] as LoggedMessageCreated).data.message.text,
    file: [file.name, file.size, content.size],
    name: renamed.name ?? null,
    time: sent[0].createdAt instanceof Date,
    problem: [failure.response.status, problem.code, problem.status],
  }));
}

chat();
