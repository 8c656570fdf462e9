/**
 * `npm run bench`: every figure is a ratio against a peer or a limit, upper or lower, in the same run. Writes `bench/results.json` and
 * exits 1 when an aim is missed. `npm run bench -- --only visibility` (or another of `PARTS`) measures that part alone and replaces it in the results. Linux only (CPU
 * comes from /proc).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Aim, renderAim } from './aims.ts';
import { installPeers, load, machine, versions } from './machine.ts';

const NOTES = [
  'Absolute times are noise on shared machines; the ratios are of one run, rounds of all servers in turns.',
  'x402: POST /api/agent/check_health under plain `workerd serve`, one process per server, load from another process on loopback (c = 1 and 32, best of 3 rounds of 4 s by CPU per request after a warm-up). CPU is user + system of the whole workerd process.',
  'x402, ours: the real app and the real PaymentLedger (256 SQLite objects on disk, kept in memory between rounds). Stood in for: R2 by a map, both rate limiters by "always", the audit by a constant (the peer has a constant handler too).',
  'x402, paid: each payment is really signed and presented once to ours; the peer keeps no ledger. The stub facilitator answers both alike. Official clients also echo `extensions`; the payloads here do not, for either side.',
  'x402, honest floor: hono and @x402/hono with verify and settle, our body schema, the constant audit, one put of the same bytes into the same stand-in of R2, and one of 256 objects with claim, begin and settled as three awaited writes of SQLite; no signature is recovered, nothing is compared, counted or logged. Ours, floor and peer in turns, 8 rounds of 1,280 payments at c = 32; a ratio is the median of the ratios of neighbouring rounds.',
  'rails: ours with MPP switched on and off, 20 rounds of 1.5 s of unpaid requests in turns; then payments by MPP and by x402 to the same server, 20 rounds of 512 each in turns, c = 32. Challenges and signatures are made before. A ratio is the median of the ratios of neighbouring rounds.',
  'x402, facilitator guard: past 20 facilitator calls a second ours recovers signatures itself first. The aim is judged with that budget lifted, since it guards against floods; the line "guard on" shows its price.',
  'x402, floors: a Worker that answers a constant 402 of the same size as ours: what the runtime costs without any code; and one that makes two facilitator calls and three durable writes and nothing else. Neither is an aim: they tell how near an aim can be come.',
  "audit: `sightline audit --json` (four scores) against the peers' own command lines on one 100 KiB page on loopback, 5 runs in turns; the tools do not measure the same things. CPU and memory as each process reports them when it ends.",
  'four scores: `sightline audit --json` of the good demo site, which another process serves; requests as its report lists them.',
  'wait: `sightline audit --json` of the good demo site, each of whose answers waits 80 ms, beside a program that makes the same requests over six kept connections, the start page among them, and does nothing else, both from the start of Node to its end, in turns after one of each; medians. The ideal is what no order of the requests goes below: the start page alone, then six at a time, and the longest chain of requests that each wait for the answer before. `--peer DIR` also runs the checkout of another auditor, by the command of its package, and shows its wall time.',
  'engine: facts, checks, scores and report from a recorded snapshot; the corpus figure is the worst of 3 runs of each page, the first included.',
  'corpus against aiseo-audit: both in processes that live for all pages, one page at a time, by their programming interfaces and from memory, so that no network counts; wall and CPU of the same work, medians of 3 rounds in turns (fewer when they take long), a page ended at 90 s. "With requests" is ours with its some 45 fetches from memory and their hashes; the peer makes 4 and has no door behind them, so its one figure stands against both of ours. The aims are judged by the engine. Long talk holds the peer up (a saved page of 266 KB of fiction takes it more than ten seconds); a made page of that kind is shown without an aim. BENCH_CORPUS names another folder of pages.',
  'growth: pages of mixed content and of hostile shapes, read from memory and judged, the least of several runs; lists are capped (PAGE_LIMITS), so large pages grow slower than linearly. The shapes have no aim.',
  'truth: saved pages of public corpora, judged alone under their own addresses, against what two passes of language models answered that saw no verdict and not each other; figures are those of the frozen half, whose labels are counted and not read. Shares weigh each verdict by how often it falls on all pages. CPU is that of facts, checks and scores, without requests. Planted sites are by a second hand that knew the titles of the checks alone: ours reads them from memory under their own hosts, peers and ours beside them as served over loopback, where a fact counts for a tool that judges it. robots.txt files are compared with a build of google/robotstxt, whose decisions are kept as a digest. What a tool does not judge is not counted against it (bench/truth/README.md).',
  "visibility, labelled: texts and labels are by language models, ours is measured against no peer. A pair is an answer and a name; Wilson's intervals take pairs as independent, which those of one answer are not, so they are too narrow. Whole answers: every brand labelled in one of the six answers of a run is looked for in all six; a product that the label counts under its maker counts against us. The frozen half was not looked at for tuning, as its README says; so that it stays so, only its counts are told here.",
  "visibility, calibration: 1,000 runs of 30 answers of the simulated engine over an invented market, the same seeds every time. Each run measures one of four brands and one of two equal pairs, every fifth a third pair (power, no aim). It proves counting, intervals and verdict on answers as that engine writes them; a real engine may have traps that it has not. The true share is the brand's expected mentions over those of all brands, so what the rival finder misses counts too. One aim is two: intervals that always cover are too wide. No run may count other mentions than were made.",
  'visibility, paid call: the local stack (workerd, one batch of 6 at a time, chain and facilitator on this machine) and a chat server on loopback that answers after 200 ms; the official client asks, signs and asks again. The first progress event tells that nothing is done yet: it says that the payment is good and the run has begun.',
  'visibility, panel wall: as the paid call, with four chat servers, one for each engine; the ideal has all engines at work at the same time, six prompts of each at once. What the client, chain and facilitator take is in it.',
  "visibility, analysis: analyseBrand in processes that do nothing else, 5 runs of warm-up, 20 counted, on brands that the answers name, in turns. Three processes for each kind of answers, in turns: their medians, the median of those and their spread. Judged by the CPU of the analysing thread, which is what a Worker's limit counts; the whole process, with V8's compilers and collectors on other threads, is shown too. Labelled answers are of ten niches at once, which no run has.",
  'visibility, run object: size of the database, not memory; the real object under plain workerd, told 30 answers by the real engine adapter, which caps them; the limit is 30 x (32 KiB of text + 4 KiB of sources) and 256 KiB for the pages of the database. Texts are kept as UTF-8, because the own form of the runtime doubles with the first character outside Latin-1.',
  'visibility, AI SDK: the deployed bundle, not minified so that its modules can be told apart, with a note of each module that runs.',
  "MCP: tools/list and the free tools/call of revision 2026-07-28 at /mcp under plain `workerd serve`, 16 connections, best of 4 rounds of 3 s in turns, against the SDK's own handler with the same tools and the same constant answers. Ours also checks Host, Origin, size and the caller's limit, and writes request ids; sessions of older clients and paid calls are not in it. Definitions of all tools are counted as their JSON by the tokenizer of o200k (gpt-tokenizer), `_meta` and schemas included.",
  'management: the control Worker under plain `workerd serve`, called by the official client (googleapis) in another process, 8 calls at once, 3 rounds of 3 s in turns. Tokens, queue and rate limiter are stood in for. The canned peer answers the same bodies and does nothing else: no emulator of these interfaces is published on npm. Growth compares CPU per call of a tenant of 100,000 users, 10,000 groups and 1,000,000 memberships with one of 1,000, 100 and 10,000. Size is the database, memory the peak of the whole process with its page cache.',
  'directory: as management, with 100 users of either tenant suspended or archived, 10 org units and users spread over them. Partial answers: the same call on one tenant with `fields` and without, in turns. Queries find as many on their page with both sizes. Pages are counted for searches without results.',
  'notifications: the webhook Worker under plain `workerd serve`, pushed to by another process over 16 and over 64 connections that send again as soon as they are answered, best of 5 rounds of 3 s in turns; each message has a number of its own and names one of 1,000 users of one customer. "kept": the inbox as deployed, with its transaction on disk before the answer, and nobody works through it. "worked": it is worked through meanwhile, with a directory that answers at once. "empty object": the object is asked and writes nothing. "nothing kept": the Worker answers after its checks without asking it. Tokens, queue and directory are stood in for. Forged messages go one at a time over one connection, known and unknown channels in pairs of random order. The registry of 100,000 channels runs under Node on a SQLite file, with a clock that is moved by hand and a vendor that answers at once: CPU is of the whole process during a pass, and the outage is counted, not timed.',
  'telemetry: paid calls as in x402 with the facilitator budget lifted, c = 32, with TELEMETRY=control against none, rounds in turns, by the least CPU per call. Sender, receiver and the store of entries are one process and one thread, so that all of its cost is counted; deployed they are not.',
  'entries: the real EntryStore under plain `workerd serve` on disk, alone in its process. Writes: batches of 1,000 that lie ready in memory as parsed JSON, one EntryStore.run (judged, routed by one sink, stored, its alarm set) and one commit a request; against an object with the same tables and indexes whose request binds the same finished rows to one INSERT, row by row, in one transaction. Six rounds of 50 batches in turns, least CPU of the process; what asking for nothing takes is taken off both. Lists: 1,000,000 entries of 120 streams (20 logs by 6 severities) in one object; rows as the cursors of SQLite count them, CPU of 20 calls. One instant and one id are shown without the aim by rows: each stream in sight costs a row at least, and ids have no index of their own.',
  'entries in shards: share of the fullest of 8 shards after 100,000 writes by the placement of deployment, for streams of single entries and of batches, from one isolate and from fifty; and as stored by 4,000 real writes of a busy tenant under `workerd serve`. One write: the same calls of one entry, ready in memory, to the real object as a store by itself and as a shard with a lease, 2,000 calls a request, seven rounds in turns, least CPU of the process. Pages: 100 lists a request over 20,000 entries in 8 shards and in one store, all in one process, so that the CPU of every object and of the asking Worker counts.',
  'search: 200 questions of our own over the saved pages of the corpus, written from reading them and before any engine was asked (bench/search/questions-data.ts; no question set of a usable licence is published on npm). A chunk answers a question if it is of that page and has the words noted for it. Both sides get the same chunks of 256 tokens with a tenth of overlap; ours is the index of an instance in a SQLite object under plain `workerd serve` on disk, minisearch stands beside it in the same object and keeps all in memory. Queries and filling by CPU of that process, rounds in turns, the least of 5; filling is text to chunks to index of ten copies of the pages. Size is the database with texts and words of those, without the raw files that an instance keeps too. Queries, filling and size have no aim. First chunks: the local stack with the simulated engine, 50 pairs of a search and a streamed chat of the same question over loopback, in turns. Indexed again: up to 60 sections of our README, the first 1,500 characters of each, asked for by one of their sentences before and after all is put 20 times over with another checksum; alone (a small index) and among the saved pages (a large one). Recall is by the first chunk, and what differs counts every order and score.',
  'pages, report: the stored text of a full audit of the site that the engine is measured on, cut to 200 checks, parsed by the schema of its capability and rendered to the whole HTML by the code of the api Worker, bundled and minified, in a process of Node that does nothing else: 30 runs of warm-up, then the median of 50. The first run of the process, which compiles, is shown without an aim. gzip as Node has it by default. Fetching from the bucket and asking the ledger are not in it.',
  'hostile, bombs: the local stack (three Workers in one workerd), a stack of its own for each door; growth is the peak of the resident set of workerd over what it was before; other requests are `GET /health`, one after another. A body of 1 MB inflates to 1 GiB.',
  'hostile, heap: each page read from memory and judged by the engine in processes with less and less old space (`--max-old-space-size`); the figure is the least size of those tried that suffices.',
  'hostile, strangers: sign-in (nonce and signed message), registration of a client and purchase of a measurement, 20 each, by honest callers of whom each comes once; first alone, then while a stranger with 100 addresses (50 networks of one IPv6 /48, 50 of IPv4), after 2,200 registrations and 21,000 nonces, goes on with 50 nonces, 30 registrations and 20 payments a second that name the same payer and are signed by another key. A refusal counts as the time that its Retry-After tells. Caller addresses come by CF-Connecting-IP, as the platform sets it.',
  'hostile, load: 400 unpaid, 50 paid and 8 preview clients in closed loops against the local stack, 60 s after 10 s of warm-up; purchases are check_health of the good demo site, settled on the local chain, each payment really signed. Clients, chain, facilitator, sites and Workers share the machine. The floor is a Worker without code of ours under the same 400 clients: plain workerd serves what came last first when it is saturated, so that its own p99 is tens of times its p50. With a front, clients share 64 connections and wait in the order of their coming, as behind a proxy that bounds its connections to the service.',
  'emulator: `sightline-emulator --no-auth` as a process, five starts without and with a seed (100 users, 10 groups, 50 memberships, a log entry), in turns, medians. Ready is the time from the spawn of Node to its line of facts. Resident is Node and workerd together at that moment, without the gRPC front. A reset is one `POST /v1/reset` over loopback after one insert; after a log entry, entries and instances are reset as well. Each figure stands against its limit; `GET /health` of the same process, which does nothing, tells how busy the machine is.',
  'package: sizes as `npm pack` prints them, in decimal MB. First result: `npm exec` of the packed file in an empty folder with an empty home folder, of Node 24, to the printed audit of the good demo site on loopback. npm ci: the sources of this checkout with the lock file of 2026-11-26 and with the present one, each with everything that is built after it, in turns after one of each that fills the cache; the least CPU of two, user and system of npm and its children.',
  'sdk: the package of the client for programs, bundled and minified by esbuild for browsers and compressed as gzip has it by default: without its one dependency, and with it. Packed is what `npm pack` prints.',
  'cli: the built command line and a Node that does nothing, as processes of their own, 30 rounds in turns after one that fills the cache of compiled code. Judged by the least time, because other work on the machine only adds to it; medians are in the results. Processes begin in an empty folder with an empty home.',
  'logs: an access log of the combined format that is generated (10,000,000 lines, some 2 GB; BENCH_LOG_LINES takes another number), read by `sightline logs --json` of the built command line with classification and verification on, and by GoAccess of the system without query strings, one after the other on the same core of a machine that others use: rates are by the CPU of the process, the clock is shown. Both read the file from the cache of the kernel, which the writing filled. GoAccess also counts distinct visitors, browsers and referrers, and ours agents, verification and pages by agent.',
  'print: pages of A4 that the command line prints with Chromium of this machine, of audits of the two demo sites and of the largest report of the poor one.',
  'documentation: `npm run docs:site -- --force` as a process with the generator installed, from the spawn of Node to its end, once. Installing the generator, which its lock file decides, is not in it.',
  'views: results of every capability of the poor demo site (compared with the good one) and of the simulated engine, rendered in each view; tokens as gpt-tokenizer counts them (o200k). A page of a section: 50 checks of the full report of that site, from the stored text to the text of the answer, in a process of Node that does nothing else: 30 runs of warm-up, median of 50. Fetching from the bucket and asking the ledger are not in it.',
  'console: control Worker, api Worker and every object of both in one process under plain `workerd serve`, on disk. 100,000 sales of the last day by 5,000 payers go through claim, settlement and books of 256 shards, with 400 days of books of an earlier version below them; one in fifty is given back. Each page is loaded once (shown without an aim) and then 20 times, one after the other. CPU is of the whole process, so that it bounds the Worker’s own from above. The log is empty: searches of it are measured under entries. No node and no facilitator answer.',
  'start-up: workerd as a process, from its start to the first answer of `/health`: the api Worker as `wrangler deploy` uploads it, a Worker of hono, zod and viem alone, one of `@x402/hono`, and an empty one, 11 rounds in turns after one of each; CPU of all threads of workerd, those that compile included. A ratio is the median of the ratios of a round. The limit of the platform is for the CPU of the evaluation alone, so that what is measured bounds it from above. `--before DIR` also starts the api Worker of another checkout.',
  'stack: `local/start.ts` as a process, from its spawn to the line that says it is ready, five starts of each kind in turns, medians. The first start of a checkout bundles the Workers; later ones take the bundles of before. npm itself, which takes some 0.3 s, is not in it.',
  'deploy: `sightline deploy --env staging` as a process, from its spawn to its end, against the substitute for the API of Cloudflare in `test/support/cloudflare`, three accounts without anything in them, medians. The time of the substitute, of wrangler and of the Workers that it starts for the smoke test is in it, so that it bounds our own from above; pages were built before.',
  'monitors: the book of a shard with 1,000 and with 10,000 monitors of four zones on a SQLite file, in a process of Node that does nothing else; CPU of that process, the least of 5 rounds. All due: every monitor comes due at the same moment; one pass makes the runs, and passes of 500 send their messages; what a run and its consumer cost is not in it.',
  'scale, admission: the real api Worker with ledger, gates and counters in one isolate of plain `workerd serve`, whose V8 has an old space of 80 MiB, since the platform gives an isolate 128 MB in all; bucket and rate limiters are stood in for and hold nothing. Memory is the heap and the buffers outside of it by the inspector, asked every 50 ms. Eight free previews of the same site begin 0.3 s before the 50 purchases. The wide site has one character outside of Latin-1 on each page, which makes V8 keep two bytes for each of its characters. What 12 audits a second over many isolates are refused is modelled: the counter is the real one, sizes (one in a thousand of 25 MiB, one in twenty of 3 MiB, the others of 0.6 MiB) and times (4 s of reading, 1 s of judging) are assumed.',
  'scale, plan: calls of objects and rows are counted in the whole local stack with its real objects, one request after the other, each kind first with names that the isolate does not remember, then with those that it does; CPU is of all of workerd, emulated bucket, queue and rate limiters included, as fast as two cores serve. Utilisation, waits, isolates and money are modelled of these by a service time of 1.5 ms for a call that reads and 4 ms for one that writes, and by the price list; none of that was measured on the platform. The model is compared with a run in which three workerd call one object in a fourth.',
  'tokens: 10,000 tokens of one service account through the code that routes, makes and judges tokens, with root and shards over memory; calls of objects are counted. No time is measured.',
  "Not measured: the platform's network, R2, rate limiters, cold objects, a real facilitator or chain, a real answer engine, queues beyond this machine.",
];

type Part = { aims: readonly Aim[] };

/** The parts that can be measured alone. */
const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  visibility: async () => (await import('./visibility/visibility.ts')).measureVisibility(console.log),
  mcp: async () => (await import('./mcp/mcp.ts')).measureMcp(console.log),
  management: async () => (await import('./management/management.ts')).measureManagement(console.log),
  directory: async () => (await import('./management/directory.ts')).measureDirectory(console.log),
  notifications: async () => (await import('./notifications/notifications.ts')).measureNotifications(console.log),
  telemetry: async () => (await import('./telemetry/telemetry.ts')).measureTelemetry(console.log),
  entries: async () => (await import('./entries/entries.ts')).measureEntries(console.log),
  shards: async () => (await import('./entries/shards.ts')).measureShards(console.log),
  search: async () => (await import('./search/search.ts')).measureSearch(console.log),
  bundles: async () => (await import('./bundles.ts')).measureBundles(console.log),
  startUp: async () => (await import('./start-up/start-up.ts')).measureStartUp(console.log, readOption('--before')),
  pages: async () => (await import('./pages/pages.ts')).measurePages(console.log),
  hostile: async () => (await import('./hostile/hostile.ts')).measureHostile(console.log),
  emulator: async () => (await import('./emulator/emulator.ts')).measureEmulator(console.log),
  package: async () => (await import('./package/package.ts')).measurePackage(console.log),
  sdk: async () => (await import('./sdk/sdk.ts')).measureSdk(console.log),
  logs: async () => (await import('./traffic/logs.ts')).measureLogs(console.log),
  cli: async () => (await import('./cli/cli.ts')).measureCli(console.log),
  print: async () => (await import('./print/print.ts')).measurePrint(console.log),
  docs: async () => (await import('./docs/docs-site.ts')).measureDocsSite(console.log),
  tokens: async () => (await import('./scale/tokens.ts')).measureTokens(console.log),
  views: async () => (await import('./views/views.ts')).measureViews(console.log),
  monitors: async () => (await import('./monitors/monitors.ts')).measureMonitors(console.log),
  paid: async () => (await import('./x402/paid-floor.ts')).measurePaid(console.log),
  rails: async () => (await import('./x402/rails.ts')).measureRails(console.log),
  scale: async () => (await import('./scale/scale.ts')).measureScale(console.log),
  truth: async () => (await import('./truth/all.ts')).measureAllTruth(console.log),
  console: async () => (await import('./console/console.ts')).measureConsole(console.log),
  stack: async () => (await import('./stack/start.ts')).measureStack(console.log),
  deploy: async () => (await import('./deploy/deploy.ts')).measureDeploy(console.log),
  wait: async () => (await import('./audit/wait.ts')).measureWait(console.log, readOption('--peer')),
};

/** The value of an option, such as the folder of a peer that is not installed with the others. */
function readOption(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

const only = process.argv[2] === '--only' ? (process.argv[3] ?? '') : undefined;
const part = only === undefined ? undefined : PARTS[only];
if (only !== undefined && !part) throw new Error(`--only takes ${Object.keys(PARTS).join(' or ')}`);
const measured = await (part === undefined || only === undefined ? measureAll() : measurePart(only, part));
process.exitCode = measured.some(({ verdict }) => verdict === 'missed') ? 1 : 0;

async function measureAll(): Promise<readonly Aim[]> {
  console.log('Sightline benchmarks\n');
  for (const note of NOTES) console.log(`- ${note}`);
  installPeers();
  // Loaded after the installation, which brings what they import.
  const [{ measureAudit }, { measureVisibility }, { measureMcp }] = await Promise.all([
    import('./audit/audit.ts'),
    import('./visibility/visibility.ts'),
    import('./mcp/mcp.ts'),
  ]);
  const [{ measureManagement }, { measureNotifications }, { measureX402 }, { x402Aims }] = await Promise.all([
    import('./management/management.ts'),
    import('./notifications/notifications.ts'),
    import('./x402/matrix.ts'),
    import('./x402/ratios.ts'),
  ]);

  const startedMs = Date.now();
  const loadBefore = load();
  console.log(
    `\nversions ${JSON.stringify(versions())}\nmachine ${JSON.stringify(machine())}, load ${loadBefore.join(' ')}\n`,
  );

  const aims: Aim[] = [];
  const { measureBundles } = await import('./bundles.ts');
  const bundles = measureBundles(console.log);
  aims.push(...bundles.aims);
  const { measureStartUp } = await import('./start-up/start-up.ts');
  const startUp = await measureStartUp(console.log);
  aims.push(...startUp.aims);
  console.log('');

  const audit = await measureAudit(console.log);
  aims.push(...audit.aims);
  const { measureWait } = await import('./audit/wait.ts');
  const wait = await measureWait(console.log);
  aims.push(...wait.aims);
  console.log('');
  const visibility = await measureVisibility(console.log);
  aims.push(...visibility.aims);
  console.log('');
  const mcp = await measureMcp(console.log);
  aims.push(...mcp.aims);
  console.log('');
  const management = await measureManagement(console.log);
  aims.push(...management.aims);
  console.log('');
  const { measureDirectory } = await import('./management/directory.ts');
  const directory = await measureDirectory(console.log);
  aims.push(...directory.aims);
  console.log('');
  const notifications = await measureNotifications(console.log);
  aims.push(...notifications.aims);
  console.log('');
  const { measureTelemetry } = await import('./telemetry/telemetry.ts');
  const telemetry = await measureTelemetry(console.log);
  aims.push(...telemetry.aims);
  console.log('');
  const { measureEntries } = await import('./entries/entries.ts');
  const entries = await measureEntries(console.log);
  aims.push(...entries.aims);
  console.log('');
  const { measureSearch } = await import('./search/search.ts');
  const search = await measureSearch(console.log);
  aims.push(...search.aims);
  console.log('');
  const { measurePages } = await import('./pages/pages.ts');
  const pages = await measurePages(console.log);
  aims.push(...pages.aims);
  console.log('');
  const { measureHostile } = await import('./hostile/hostile.ts');
  const hostile = await measureHostile(console.log);
  aims.push(...hostile.aims);
  console.log('');
  const { measureEmulator } = await import('./emulator/emulator.ts');
  const emulator = await measureEmulator(console.log);
  aims.push(...emulator.aims);
  console.log('');
  const { measurePackage } = await import('./package/package.ts');
  const packageFigures = await measurePackage(console.log);
  aims.push(...packageFigures.aims);
  const { measureSdk } = await import('./sdk/sdk.ts');
  const sdk = await measureSdk(console.log);
  aims.push(...sdk.aims);
  const { measureCli } = await import('./cli/cli.ts');
  const cli = await measureCli(console.log);
  aims.push(...cli.aims);
  console.log('');
  const { measureLogs } = await import('./traffic/logs.ts');
  const logs = await measureLogs(console.log);
  aims.push(...logs.aims);
  console.log('');
  const { measurePrint } = await import('./print/print.ts');
  const print = await measurePrint(console.log);
  aims.push(...print.aims);
  const { measureDocsSite } = await import('./docs/docs-site.ts');
  const docs = measureDocsSite(console.log);
  aims.push(...docs.aims);
  const { measureViews } = await import('./views/views.ts');
  const views = await measureViews(console.log);
  aims.push(...views.aims);
  const { measureMonitors } = await import('./monitors/monitors.ts');
  const monitors = await measureMonitors(console.log);
  aims.push(...monitors.aims);
  console.log('');
  const { measurePaid } = await import('./x402/paid-floor.ts');
  const paid = await measurePaid(console.log);
  aims.push(...paid.aims);
  const { measureRails } = await import('./x402/rails.ts');
  const rails = await measureRails(console.log);
  aims.push(...rails.aims);
  const { measureScale } = await import('./scale/scale.ts');
  const scale = await measureScale(console.log);
  aims.push(...scale.aims);
  const { measureTokens } = await import('./scale/tokens.ts');
  const tokens = await measureTokens(console.log);
  aims.push(...tokens.aims);
  const { measureConsole } = await import('./console/console.ts');
  const consolePages = await measureConsole(console.log);
  aims.push(...consolePages.aims);
  const { measureStack } = await import('./stack/start.ts');
  const stack = await measureStack(console.log);
  aims.push(...stack.aims);
  const { measureDeploy } = await import('./deploy/deploy.ts');
  const deploy = await measureDeploy(console.log);
  aims.push(...deploy.aims);
  console.log('');
  const x402 = await measureX402(console.log);
  const ratios = x402Aims(x402.cases);
  aims.push(...ratios.aims);
  for (const line of ratios.lines) console.log(line);
  for (const [name, mib] of Object.entries(x402.peakMiB)) console.log(`peak memory ${name}: ${mib.toFixed(0)} MiB`);

  printAims(aims);
  const tookS = Math.round((Date.now() - startedMs) / 1000);
  console.log(`\n${tookS} s, load before ${loadBefore.join(' ')}, after ${load().join(' ')}`);
  const results = {
    date: new Date().toISOString(),
    tookS,
    machine: { ...machine(), loadBefore, loadAfter: load() },
    versions: versions(),
    notes: NOTES,
    aims,
    bundles,
    startUp,
    audit,
    wait,
    visibility,
    mcp,
    management,
    directory,
    notifications,
    telemetry,
    entries,
    search,
    pages,
    hostile,
    emulator,
    package: packageFigures,
    sdk,
    cli,
    logs,
    print,
    docs,
    views,
    monitors,
    paid,
    rails,
    scale,
    tokens,
    console: consolePages,
    stack,
    deploy,
    x402: { ...x402, ratios: ratios.lines },
  };
  writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
  return aims;
}

/** Measures one part, and puts it in the place of what the results of the last whole run say of it, with its own date. */
async function measurePart(name: string, measure: () => Promise<Part>): Promise<readonly Aim[]> {
  installPeers();
  const loadBefore = load();
  console.log(`machine ${JSON.stringify(machine())}, load ${loadBefore.join(' ')}\n`);
  const results = await measure();
  printAims(results.aims);
  console.log(`\nload after ${load().join(' ')}`);
  const file = new URL('results.json', import.meta.url);
  const before = JSON.parse(readFileSync(file, 'utf8')) as { aims: Aim[] } & Record<string, unknown>;
  const names = new Set(results.aims.map((aim) => aim.name));
  const all = {
    ...before,
    aims: [...before.aims.filter((aim) => !names.has(aim.name)), ...results.aims],
    [name]: { date: new Date().toISOString(), machine: { ...machine(), loadBefore, loadAfter: load() }, ...results },
  };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  return results.aims;
}

function printAims(aims: readonly Aim[]): void {
  console.log('');
  for (const one of aims) console.log(renderAim(one));
}
