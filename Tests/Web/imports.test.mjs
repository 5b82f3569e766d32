import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const web = new URL('../../web/', import.meta.url);
const IMPORT = /^(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** Each module of `web/` with those that it imports, by their paths. */
function graph() {
  const files = readdirSync(web, { recursive: true }).filter((name) => name.endsWith('.js'));
  return new Map(files.map((name) => {
    const url = new URL(name, web);
    const imports = [...readFileSync(url, 'utf8').matchAll(IMPORT)].map(([, from, alone]) => new URL(from ?? alone, url).href);
    return [url.href, imports];
  }));
}

/** A chain of imports that ends where it begins, or undefined. */
function cycle(graph) {
  const done = new Set();
  const visit = (at, chain) => {
    if (chain.includes(at)) return [...chain.slice(chain.indexOf(at)), at];
    if (done.has(at)) return undefined;
    for (const next of graph.get(at) ?? []) {
      const found = visit(next, [...chain, at]);
      if (found) return found;
    }
    done.add(at);
    return undefined;
  };
  for (const at of graph.keys()) {
    const found = visit(at, []);
    if (found) return found.map((one) => one.slice(web.href.length));
  }
  return undefined;
}

test('no module imports itself, directly or through others', () => {
  assert.equal(cycle(graph()), undefined);
});

test('what is imported is there', () => {
  const modules = graph();
  const missing = [...modules].flatMap(([at, imports]) => imports.filter((one) => !modules.has(one)).map((one) => [at, one]));
  assert.deepEqual(missing, []);
  assert.ok(modules.size > 60, fileURLToPath(web));
});

test('the library imports nothing from outside its folder', () => {
  const library = new URL('parley/', web).href;
  const outside = [...graph()].filter(([at]) => at.startsWith(library)).flatMap(([, imports]) => imports);
  assert.deepEqual(outside.filter((one) => !one.startsWith(library)), []);
  assert.ok(outside.length > 20);
});
