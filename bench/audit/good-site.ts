/** Serves the good demo site on loopback, in a process of its own; prints `{ port }`. An argument delays each answer by as many milliseconds. */
import { startSites } from '../../local/sites/sites.ts';

const { good } = await startSites({}, Number(process.argv[2] ?? 0));
console.log(JSON.stringify({ port: Number(new URL(good).port) }));
