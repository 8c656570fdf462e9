/**
 * One round of notifications in a process of its own: `push.mjs <job.json>`. The job: `{ url, headers, from, most,
 * connections, seconds }`. Each message has a number of its own, from `from` on, and names one of 1,000 users; the round
 * ends early when `most` are sent. Prints one JSON line: requests, rate, latencies in milliseconds, statuses.
 */
import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';

const USERS = 1_000;
const { url, headers, from, most, connections, seconds } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const perConnection = Math.floor(most / connections);
const latenciesMs = [];
let clients = 0;

const requestOf = (number) => ({
  headers: { ...headers, 'content-type': 'application/json; utf-8', 'x-goog-message-number': String(number) },
  body: JSON.stringify({
    kind: 'admin#directory#user',
    id: String(110_000_000_000 + (number % USERS)),
    etag: '"of the notification"',
    primaryEmail: `person-${number % USERS}@example.com`,
  }),
});

const run = autocannon(
  {
    url,
    method: 'POST',
    connections,
    amount: perConnection * connections,
    timeout: 10,
    setupClient(client) {
      const first = clients;
      clients += 1;
      client.setRequests(
        Array.from({ length: perConnection }, (_, turn) => requestOf(from + turn * connections + first)),
      );
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
      JSON.stringify({ requests, perS: requests / elapsedS, p50: at(0.5), p99: at(0.99), statuses, failures }),
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
