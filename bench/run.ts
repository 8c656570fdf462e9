/**
 * `npm run bench`: every figure is a ratio against a peer or a limit, upper or lower, in the same run. Writes `bench/results.json` and
 * exits 1 when an aim is missed. Linux only (CPU comes from /proc).
 */
import { writeFileSync } from 'node:fs';
import { type Aim, atMost, renderAim, round } from './aims.ts';
import { installPeers, load, machine, versions } from './machine.ts';

const NOTES = [
  'Absolute times are noise on shared machines; the ratios are of one run, rounds of all servers in turns.',
  'x402: POST /api/agent/check_health under plain `workerd serve`, one process per server, load from another process on loopback (c = 1 and 32, best of 3 rounds of 4 s by CPU per request after a warm-up). CPU is user + system of the whole workerd process.',
  'x402, ours: the real app and the real PaymentLedger (256 SQLite objects on disk, kept in memory between rounds). Stood in for: R2 by a map, both rate limiters by "always", the audit by a constant (the peer has a constant handler too).',
  'x402, paid: each payment is really signed and presented once to ours; the peer keeps no ledger. The stub facilitator answers both alike. Official clients also echo `extensions`; the payloads here do not, for either side.',
  'x402, facilitator guard: past 20 facilitator calls a second ours recovers signatures itself first. The aim is judged with that budget lifted, since it guards against floods; the line "guard on" shows its price.',
  'x402, floors: a Worker that answers a constant 402 of the same size as ours: what the runtime costs without any code; and one that makes two facilitator calls and three durable writes and nothing else. Neither is an aim: they tell how near an aim can be come.',
  "audit: `sightline audit --json` (four scores) against the peers' own command lines on one 100 KiB page on loopback, 5 runs in turns; the tools do not measure the same things. CPU and memory as each process reports them when it ends.",
  'four scores: `sightline audit --json` of the good demo site, which another process serves; requests as its report lists them.',
  'engine: facts, checks, scores and report from a recorded snapshot; the corpus figure is the worst of 3 runs of each page, the first included.',
  'corpus against aiseo-audit: both in processes that live for all pages, one page at a time, by their programming interfaces and from memory, so that no network counts; wall and CPU of the same work, medians of 3 rounds in turns (fewer when they take long), a page ended at 90 s. "With requests" is ours with its some 45 fetches from memory and their hashes; the peer makes 4 and has no door behind them, so its one figure stands against both of ours. The aims are judged by the engine. Long talk holds the peer up (a saved page of 266 KB of fiction takes it more than ten seconds); a made page of that kind is shown without an aim. BENCH_CORPUS names another folder of pages.',
  'growth: pages of mixed content and of hostile shapes, read from memory and judged, the least of several runs; lists are capped (PAGE_LIMITS), so large pages grow slower than linearly. The shapes have no aim.',
  'truth: the fixtures, their facts and our checks are of one hand, so our own figure says that they agree and not that they are right; the facts come from the specifications. Ours runs in process on the sites as planted; the peers run as command lines on the same sites over loopback, so without https. A peer is asked only for what it judges by the same question (peers.ts), and its "half" counts in its favour whatever the truth is. What it does not judge is not counted against it.',
  "Not measured: the platform's network, R2, rate limiters, cold objects, a real facilitator or chain.",
];

console.log('Sightline benchmarks\n');
for (const note of NOTES) console.log(`- ${note}`);
installPeers();
// Loaded after the installation, which brings what they import.
const [{ measureBundle }, { measureAudit }, { measureX402 }, { x402Aims }] = await Promise.all([
  import('./bundle.ts'),
  import('./audit/audit.ts'),
  import('./x402/matrix.ts'),
  import('./x402/ratios.ts'),
]);

const startedMs = Date.now();
const loadBefore = load();
console.log(
  `\nversions ${JSON.stringify(versions())}\nmachine ${JSON.stringify(machine())}, load ${loadBefore.join(' ')}\n`,
);

const aims: Aim[] = [];
const bundle = await measureBundle();
const kib = (bytes: number): number => round(bytes / 1024);
console.log(`bundle: ${kib(bundle.rawBytes)} KiB, gzip ${kib(bundle.gzipBytes)} KiB`);
const { ours, peer, emptyWorker } = bundle.startUpCpuMs;
console.log(`start-up CPU beyond an empty Worker (${emptyWorker} ms): ours ${ours} ms, @x402/hono ${peer} ms\n`);
aims.push(atMost('bundle, gzip', kib(bundle.gzipBytes), 1024, 'KiB'));

const audit = await measureAudit(console.log);
aims.push(...audit.aims);
console.log('');
const x402 = await measureX402(console.log);
const ratios = x402Aims(x402.cases);
aims.push(...ratios.aims);
for (const line of ratios.lines) console.log(line);
for (const [name, mib] of Object.entries(x402.peakMiB)) console.log(`peak memory ${name}: ${mib.toFixed(0)} MiB`);

console.log('');
for (const one of aims) console.log(renderAim(one));
const tookS = Math.round((Date.now() - startedMs) / 1000);
console.log(`\n${tookS} s, load before ${loadBefore.join(' ')}, after ${load().join(' ')}`);
const results = {
  date: new Date().toISOString(),
  tookS,
  machine: { ...machine(), loadBefore, loadAfter: load() },
  versions: versions(),
  notes: NOTES,
  aims,
  bundle,
  audit,
  x402: { ...x402, ratios: ratios.lines },
};
writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = aims.some(({ verdict }) => verdict === 'missed') ? 1 : 0;
