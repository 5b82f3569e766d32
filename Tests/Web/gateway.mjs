/** A tiny server that plays the gateway's part in one test: each request is answered by the next handler, or by the last. */
import { createServer } from 'node:http';

/** @param {((request: {method: string, url: string, headers: object, body: any}, response: object) => void)[]} handlers */
export async function gateway(t, ...handlers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const seen = { method: request.method, url: request.url, headers: request.headers, body: text ? JSON.parse(text) : undefined };
    requests.push(seen);
    const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
    handler(seen, response, request);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseURL: `http://127.0.0.1:${server.address().port}`, requests };
}

export const json = (status, body, headers = {}) => (_, response) => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
};

export const problem = (status, code, headers = {}) => (_, response) => {
  response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers });
  response.end(JSON.stringify({ type: 'about:blank', title: code, status, code, detail: `It is ${code}.`, errors: [{ pointer: '#/text' }] }));
};

export const hangUp = (_, response) => response.destroy();

/** An event stream of these chunks; it ends after them, or stays open. */
export const stream = (chunks, { open = false } = {}) => (_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const chunk of chunks) response.write(chunk);
  if (!open) response.end();
};

export const frame = (type, data, id) => `${id ? `id: ${id}\n` : ''}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Collects events until `enough` says so (then leaves the stream). */
export async function collect(events, enough) {
  const all = [];
  for await (const event of events) {
    all.push(event);
    if (enough(event, all)) break;
  }
  return all;
}
