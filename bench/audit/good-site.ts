/** Serves the good demo site on loopback, in a process of its own; prints `{ port }`. */
import { startSites } from '../../local/sites/sites.ts';

const { good } = await startSites();
console.log(JSON.stringify({ port: Number(new URL(good).port) }));
