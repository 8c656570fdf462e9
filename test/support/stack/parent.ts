// Started by a test as a process of its own: starts a chain and a Worker, prints their process ids, and waits to be killed.
import { startAnvil } from '../../../local/chain/anvil.ts';
import { startWorker } from '../../../local/worker.ts';

const [, , entry] = process.argv;
if (entry === undefined) throw new Error('usage: parent.ts <entry>');
const [anvil, worker] = await Promise.all([startAnvil(), startWorker({ entry, bindings: {} })]);
console.log(`${anvil.pid()} ${worker.pid()}`);
setInterval(() => undefined, 60_000);
