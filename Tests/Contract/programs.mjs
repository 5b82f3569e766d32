// Runs JavaScript programs one after the other: to start Node for each takes twenty times as long. Of stdin the path of a
// program a line; to stdout for each a line of JSON: its exit status, and what it printed.
import { createInterface } from 'node:readline';
import { format, inspect } from 'node:util';

let told;
console.log = console.error = (...all) => (told += `${format(...all)}\n`);

for await (const program of createInterface({ input: process.stdin })) {
  told = '';
  const status = await import(program).then(
    () => 0,
    (error) => {
      console.error(inspect(error));
      return 1;
    },
  );
  process.stdout.write(`${JSON.stringify([status, told])}\n`);
}
