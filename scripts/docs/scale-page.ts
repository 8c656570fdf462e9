import { readFileSync } from 'node:fs';
import type { AdmissionResults, Offered } from '../../bench/scale/admission.ts';
import type { ScaleResults } from '../../bench/scale/scale.ts';
import type { ObjectLoad, PlanRow } from '../../bench/scale/load-plan.ts';
import { ISOLATE_UTILISATION, KINDS, MEMORY_S, SPREAD, WALL_UTILISATION } from '../../bench/scale/plan-data.ts';
import {
  ANSWER_S,
  PLATFORM_LIMITS,
  PRICE_LIST,
  type PricedUse,
  PROMPTS_PER_CONSUMER,
  SERVICE_MS,
} from '../../bench/scale/price-list-data.ts';
import { formatGeneratedPage, formatTable } from './markdown.ts';

const RESULTS = new URL('../../bench/results.json', import.meta.url);

/** `docs/project/scale.md`: what the load plan asks of the platform, by the last run of the bench. */
export function scalePage(): string {
  const { scale } = JSON.parse(readFileSync(RESULTS, 'utf8')) as { scale?: ScaleResults }; // Written by bench/run.ts.
  const rest = scale === undefined ? [NOT_YET] : listSections(scale);
  return formatGeneratedPage('Scale', '`bench/results.json` and `bench/scale`', [
    INTRODUCTION,
    ...rest,
    ...listSources(),
  ]);
}

const INTRODUCTION = `This page says what stops a deployment first, at ${KINDS.map(({ title, perS }) => `${formatNumber(perS)} a second of "${title}"`).join(', ')}. It has two kinds of figures. **Measured**: calls of objects, rows, processor time and memory, on one machine. **Modelled**: everything about the platform, which has not been measured: how busy an object is, how long a call waits, how many isolates there are, and money.`;

const NOT_YET =
  'No run is recorded yet. `npm run bench -- --only scale` measures and models it in about six minutes; `npm run docs` then writes the figures here.';

function listSections(scale: ScaleResults): readonly string[] {
  const { machine, date } = scale;
  return [
    `Measured on ${date.slice(0, '2026-01-01'.length)} on ${machine.cores} shared cores (${machine.cpu}).`,
    '## Measured: what one request asks for',
    formatTable(
      [
        'Request',
        'Processor time',
        'A second on two cores',
        'Calls of objects (reads + writes), names new to the isolate',
        'The same, names it remembers',
      ],
      scale.plan.map(({ kind, title, cpuUs }) => [
        title,
        `${(cpuUs / 1000).toFixed(2)} ms`,
        formatNumber(scale.cpu[kind].perS),
        formatCalls(scale.counts[kind].cold.classes),
        formatCalls(scale.counts[kind].warm.classes),
      ]),
    ),
    'Processor time is that of all of workerd, with the emulated bucket, queues and rate limiters: the platform bills less. A call counts as a write where it writes a row.',
    '## Modelled: the load plan',
    formatTable(
      ['Load', 'Busiest object', 'Its calls a second', 'Busy', 'A call waits', 'Memory', 'USD a month', 'Dearest part'],
      scale.plan.map(formatPlanRow),
    ),
    `Modelled from the counts above: an object does one call at a time, a read takes ${SERVICE_MS.read} ms and a write ${SERVICE_MS.write} ms; calls come by chance and independently. An isolate remembers a token for ${MEMORY_S} s, and is planned ${ISOLATE_UTILISATION * 100} % busy. Each row is a month of that load alone, less what the plan includes.`,
    '## The next wall (modelled)',
    scale.plan.map((row) => `- ${describeWall(row)}`).join('\n'),
    '## The model against a run',
    formatTable(
      ['Run', 'Busy', 'Waits, measured', 'Waits, modelled'],
      scale.stubs.map(({ title, utilisation, measuredWaitMs, modelledWaitMs }) => [
        title,
        formatPercent(utilisation),
        `${measuredWaitMs.toFixed(1)} ms`,
        `${modelledWaitMs.toFixed(1)} ms`,
      ]),
    ),
    'Three processes of workerd call one object in a fourth at random times. The first run is a twentieth of the pushes; its waits are shorter than the delay that other work on the machine adds. The second makes a twentieth of the calls, each of which takes twenty times as long, so that the object is as busy as under the full load.',
    ...listAdmission(scale),
  ];
}

function listAdmission({ admission: { large, wide, steady, modelled } }: ScaleResults): readonly string[] {
  return [
    '## Memory of an isolate',
    formatTable(
      [
        'Offered to one isolate (measured)',
        'Sold',
        '503 with `Retry-After`, nothing charged',
        'Heap and buffers at most',
      ],
      [
        formatOffered(`${large.audits} audits of 25 MiB at once, ${large.previews} free previews before them`, large),
        formatOffered(`${wide.audits} of sites with one character outside of Latin-1 on each page`, wide),
        formatOffered(`${modelled.perS} audits a second of a site with pages of 100 KiB, ten seconds`, steady),
      ],
    ),
    formatTable(
      [
        `Refused of ${modelled.perS} audits a second (modelled)`,
        ...modelled.usual.map(({ isolates }) => formatIsolates(isolates)),
      ],
      [
        ['one in 1,000 of 25 MiB, one in 20 of 3 MiB', ...modelled.usual.map(({ share }) => formatPercent(share, 2))],
        ['one in 100 of 25 MiB, one in 10 of 3 MiB', ...modelled.harsh.map(({ share }) => formatPercent(share, 2))],
      ],
    ),
    'An isolate has 128 MB. Previews give way first. Then a purchase is refused before it is paid, if there is no room. Only the purchase that has held its room longest may read 25 MiB in any case. Modelled with the real counter; sizes and times of audits are assumed. Most refused audits need 25 MiB while another one runs in the same isolate: their buyers may send them again.',
    describeIsolatesNeeded(modelled.usual, modelled.perS),
  ];
}

/** Of refused audits. */
const FEW = 0.01;

/** The load plan counts isolates by their processor time, and audits fill memory first. */
function describeIsolatesNeeded(shares: AdmissionResults['modelled']['usual'], perS: number): string {
  const enough = shares.find(({ share }) => share <= FEW)?.isolates;
  const needed =
    enough === undefined
      ? `None of these numbers keeps the refused share of ${perS} audits a second below ${formatPercent(FEW, 0)}.`
      : `Of these, ${formatIsolates(enough)} are the fewest that refuse at most ${formatPercent(FEW, 0)} of ${perS} audits a second.`;
  return `${needed} The load plan above counts isolates by processor time alone, which for audits is too few. The platform decides how many isolates there are: it starts them as requests come, and a deployment cannot ask for them.`;
}

const formatOffered = (what: string, { sold, refused, peakMb }: Offered): readonly string[] => [
  what,
  String(sold),
  String(refused),
  `${peakMb.toFixed(0)} MB`,
];

const formatCalls = (classes: readonly { class: string; reads: number; writes: number }[]): string =>
  classes
    .map(({ class: of, reads, writes }) => `\`${of}\` ${formatNumber(reads)} + ${formatNumber(writes)}`)
    .join('; ') || 'none';

function formatPlanRow({ title, perS, busiest, isolates, usdPerMonth, dearest }: PlanRow): readonly string[] {
  return [
    `${title}, ${formatNumber(perS)} a second`,
    busiest ? formatObject(busiest) : 'none is called',
    busiest ? formatNumber(busiest.callsPerS) : '0',
    busiest ? formatPercent(busiest.utilisation) : '0 %',
    formatWait(busiest),
    `${formatIsolates(isolates)}, ${PLATFORM_LIMITS.objectMib} MB each`,
    formatNumber(Math.round(usdPerMonth)),
    DEAREST[dearest],
  ];
}

const formatWait = (busiest: ObjectLoad | undefined): string => {
  if (busiest === undefined) return '0 ms';
  return busiest.waitMs === undefined ? 'ever longer' : `${busiest.waitMs.toFixed(1)} ms`;
};

const formatObject = ({ class: of, objects, by }: ObjectLoad): string =>
  objects === 1 ? `\`${of}\`, ${by}` : `\`${of}\`, one of ${formatNumber(objects)} by ${by}`;

const DEAREST: Readonly<Record<PricedUse, string>> = {
  requests: 'requests',
  cpuMs: 'processor time',
  objectCalls: 'calls of objects',
  objectGbS: 'time of objects',
  rowsRead: 'rows read',
  rowsWritten: 'rows written',
  bucketWrites: 'writes to the bucket',
  bucketReads: 'reads of the bucket',
  bucketGb: 'stored reports',
  queueOperations: 'queue operations',
  logEvents: 'log events',
};

function describeWall({ title, perS, busiest, wallPerS, queueWall, usdPerMonth, dearest }: PlanRow): string {
  const money = `the bill is ${formatNumber(Math.round(usdPerMonth))} USD a month, most of it for ${DEAREST[dearest]}`;
  const object = busiest !== undefined &&
    wallPerS !== undefined && {
      perS: wallPerS,
      what: `\`${busiest.class}\` (${busiest.objects === 1 ? busiest.by : `one of ${formatNumber(busiest.objects)}`}) is ${WALL_UTILISATION * 100} % busy, or gets ${formatNumber(PLATFORM_LIMITS.objectPerS)} calls a second`,
    };
  const queue = queueWall !== undefined && {
    perS: queueWall.perS,
    what: `the queue \`${queueWall.queue}\` takes no more${queueWall.queue === 'PROMPTS' ? `: ${PLATFORM_LIMITS.queueConsumers} consumers work on ${PROMPTS_PER_CONSUMER} prompts each, and an engine takes ${ANSWER_S} s (assumed)` : ''}`,
  };
  const [wall] = [object, queue].filter((one) => one !== false).toSorted((one, other) => one.perS - other.perS);
  if (wall === undefined) return `${title}: no object is called, so the wall is money: at the planned load ${money}.`;
  return wall.perS < perS
    ? `**${title}: the wall is below the planned load**, at ${formatNumber(wall.perS)} a second, where ${wall.what}. Beyond it, work waits or is refused. At the planned load ${money}.`
    : `${title}: the wall is at ${formatNumber(wall.perS)} a second, where ${wall.what}. At the planned load ${money}.`;
}

const listSources = (): readonly string[] => [
  '## Deliberately single objects',
  describeSingleObjects(),
  '## Assumptions',
  formatTable(
    ['Class', 'Objects', 'By'],
    Object.entries(SPREAD).map(([name, { objects, by }]) => [`\`${name}\``, formatNumber(objects), by]),
  ),
  `If the count sees one object for all requests, the model uses one, whatever this table says. Prices were read on ${PRICE_LIST.read} in copies of these pages: ${PRICE_LIST.pages.join(', ')}. From 2026-12-01 log events have a price list of their own, which is not in the model; \`head_sampling_rate\` in the configuration lowers their number.`,
];

/** Classes with one object for each tenant or customer, which stays so for now. */
const describeSingleObjects = (): string => {
  const { read, write } = SERVICE_MS;
  const busyMs = WALL_UTILISATION * 1000;
  const mixed = (9 * read + write) / 10;
  return [
    `- \`RESOURCE_STORE\`, everything of one tenant: ${formatNumber(busyMs / mixed)} calls a second of nine reads and one write (modelled). Three ways to raise this were considered. Several reads of an isolate could share one call, since each is an operation of its own, judged before it is sent, and the call is most of the price of a read; but one that fails would take others with it, and each would wait for its group. Copies of the tenant for reads would answer with what was true before a change, which the vendors' clients do not expect right after a change of their own. Dividing a tenant by interface would break operations that are one transaction today, such as deleting a user with its memberships. None of them is done: the ${read} ms of a read are an assumption, and grouping reads pays only if the platform confirms it.`,
    `- \`NOTIFICATION_INBOX\`, everything of one customer: ${formatNumber(busyMs / write)} pushes a second if each is a write of its own (modelled), and at most ${formatNumber(PLATFORM_LIMITS.objectPerS)}; pushes that arrive together are one write. It could be divided by user.`,
    '- `CHANNEL_REGISTRY`, all channels: only the first push of a channel, one an hour and a few around its renewal call it. At one message a minute, about ten calls in the life of a channel of six hours, sync and renewal included, are 46 a second for 100,000 channels (modelled).',
  ].join('\n');
};

function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: value < 100 ? 2 : 4 });
}
const formatPercent = (share: number, places = 0): string => `${(100 * share).toFixed(places)} %`;
const formatIsolates = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'isolate' : 'isolates'}`;
