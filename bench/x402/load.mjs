/**
 * One round of load in a process of its own: `load.mjs <job.json>`. The job: `{ url, body, connections, seconds,
 * headers, once }`, where `headers` is one object per request. With `once` each is sent at most once and the round ends
 * early when they run out; else they go round. Prints one JSON line: requests, statuses, rates and latencies in milliseconds.
 */
import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';

const { url, body, connections, seconds, headers, once } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const perConnection = Math.floor(headers.length / connections);
const latenciesMs = [];
let clients = 0;

const run = autocannon(
  {
    url,
    method: 'POST',
    connections,
    ...(once ? { amount: perConnection * connections } : { duration: seconds + 2 }),
    timeout: 10,
    setupClient(client) {
      const first = clients;
      clients += 1;
      const mine = Array.from({ length: perConnection }, (_, turn) => headers[turn * connections + first]);
      client.setRequests(mine.map((own) => ({ body, headers: { 'content-type': 'application/json', ...own } })));
    },
  },
  (error, result) => {
    if (error) throw error;
    latenciesMs.sort((a, b) => a - b);
    const at = (share) => latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? 0;
    const elapsedS = (endedMs - startedMs) / 1000;
    const statuses = Object.fromEntries(
      Object.entries(result.statusCodeStats).map(([status, { count }]) => [status, count]),
    );
    const requests = latenciesMs.length;
    const failures = result.errors + result.timeouts;
    console.log(
      JSON.stringify({ requests, elapsedS, rps: requests / elapsedS, p50: at(0.5), p99: at(0.99), statuses, failures }),
    );
  },
);
const startedMs = performance.now();
let endedMs = startedMs;
run.on('response', (_client, _status, _bytes, ms) => {
  latenciesMs.push(ms);
  endedMs = performance.now();
});
const timer = setTimeout(() => run.stop(), seconds * 1000);
run.on('done', () => clearTimeout(timer));
