// What a TypeScript program writes with the library: see test_typescript.py, which compiles it, and does not run it.
import { allItems, Parley, ParleyError } from 'parley-web';
import type { Agent, Message } from 'parley-web';

const parley = new Parley({ baseURL: 'http://127.0.0.1:1', token: 't' });

export async function bot(): Promise<void> {
  for await (const event of parley.desk.events({ types: ['message.created'] })) console.log(event.type, event.id?.length);
  for await (const message of allItems((page) => parley.session('s').search('x', page))) console.log(message);
  for await (const thread of parley.desk.threads.all({ limit: 5 })) {
    const agent = { id: 'a', name: 'A' };
    const sent: Message = await parley.desk.thread(thread.id).messages.send({ text: 'x', agent });
    console.log(sent.text?.length);
  }
  const agents: Agent[] = (await parley.desk.agents.list()).items;
  try {
    console.log(agents);
  } catch (error) {
    if (error instanceof ParleyError) console.log(error.errors[0]?.pointer);
  }
  // @ts-expect-error: the member is not known
  await parley.session('s').threads.create({ nme: 'x' });
  // @ts-expect-error: a session's message has no agent
  await parley.session('s').thread('t').messages.send({ text: 'x', agents });
}
