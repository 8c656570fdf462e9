import { readFileSync } from 'node:fs';
import { median } from '../../bench/process-usage.ts';
import { type FigureGroup, figureGroups, missedReasons, otherFigures, otherRuns } from './figure-groups-data.ts';

type Aim = {
  name: string;
  measured: number;
  bound: 'at most' | 'at least';
  limit: number;
  unit: string;
  verdict: 'ok' | 'missed';
};

/** What the page takes from `bench/results.json`. */
type Results = {
  date: string;
  machine: { cores: number; cpu: string };
  versions: Readonly<Record<string, string>>;
  aims: readonly Aim[];
  startUp: { cpuMs: Readonly<Record<'api' | 'libraries' | 'middleware' | 'empty', readonly number[]>> };
  visibility: {
    calibration: { power: { right: { rate: Rate }; pair: string } };
    labelled: { frozen: { answers: { recommended: { precision: Rate; recall: Rate } } } };
  };
  management: { againstCanned: readonly { call: string; ratio: number }[]; sizes: readonly { databaseMiB: number }[] };
  search: {
    onlyOurs: readonly unknown[];
    onlyPeer: readonly unknown[];
    queries: Readonly<Record<'ours' | 'plain' | 'wide', { leastMs: number }>>;
    filling: Readonly<Record<'ours' | 'plain', { leastMs: number }>>;
    size: { ratio: number };
  };
} & Readonly<Record<string, unknown>>;
type Rate = { value: number; low: number; high: number };

const RESULTS = new URL('../../bench/results.json', import.meta.url);

/** `docs/project/figures.md`: every aim of the bench with what the last run measured. */
export function figuresPage(): string {
  const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results; // Written by bench/run.ts.
  const { aims } = results;
  const missed = aims.filter(({ verdict }) => verdict === 'missed').length;
  const sections = [...figureGroups, otherFigures].map((group) => renderGroup(group, results));
  return [
    '# Figures',
    '',
    'Written by `npm run docs` from `bench/results.json`.',
    '',
    `\`npm run bench\` (about 20 minutes, and 17 more for \`hostile\`) prints ratios against peers and limits in the same run, and exits with 1 while an aim is missed. \`npm run bench -- --only search\` measures one part. ${aims.length - missed} of ${aims.length} aims are met, ${missed} are missed.`,
    '',
    `The figures are from ${results.machine.cores} shared cores (${results.machine.cpu}), with nothing else on them: workerd ${results.versions['workerd']}, Node ${results.versions['node']}. Absolute times vary from machine to machine; the ratios are of one run, in which all sides took turns.`,
    '',
    'Not measured: the platform’s network, R2, rate limiters and cold objects, a real facilitator or chain, a real answer engine, and queues beyond one machine.',
    '',
    ...sections.flat(),
    ...renderTable('Without an aim', ['What', 'Measured'], listFigures(results)),
    ...renderTable('From other runs (`npm run soak`, tests)', ['What', 'Result'], otherRuns),
  ].join('\n');
}

const findGroup = ({ name }: Aim): FigureGroup =>
  figureGroups.find(({ begins }) => begins.some((beginning) => name.startsWith(beginning))) ?? otherFigures;

function renderGroup(group: FigureGroup, results: Results): readonly string[] {
  const aims = results.aims.filter((aim) => findGroup(aim) === group);
  if (aims.length === 0) return [];
  return [
    `## ${group.title}`,
    '',
    `${group.how} ${formatOrigin(group, results)}`,
    '',
    '| What | Measured | Aim | Result |',
    '|---|--:|--:|---|',
    ...aims.map(renderAimRow),
    '',
  ];
}

/** When a part was measured, and where, if not on the machine that the page names. */
function formatOrigin({ part }: FigureGroup, results: Results): string {
  const measured = part === undefined ? undefined : (results[part] as Partial<Results> | undefined);
  const day = (measured?.date ?? results.date).slice(0, '2026-01-01'.length);
  const { cpu } = measured?.machine ?? results.machine;
  return `Measured on ${day}${cpu === results.machine.cpu ? '' : `, on another machine (${cpu})`}.`;
}

function renderAimRow({ name, measured, bound, limit, unit, verdict }: Aim): string {
  const why = missedReasons.find(([begins]) => name.startsWith(begins))?.[1];
  const outcome = verdict === 'ok' ? 'met' : `**missed**${why === undefined ? '' : `: ${why}`}`;
  return `| ${renderName(name)} | ${formatFigure(measured, unit)} | ${bound} ${formatFigure(limit, unit)} | ${outcome} |`;
}

/** Figures that have no aim: what, and what was measured. */
function listFigures({ startUp, visibility, management, search }: Results): readonly (readonly [string, string])[] {
  const { power } = visibility.calibration;
  const { precision, recall } = visibility.labelled.frozen.answers.recommended;
  const ratios = management.againstCanned.map(({ call, ratio }) => `\`${call}\` ${formatRatio(ratio)}`);
  const { ours, plain, wide } = search.queries;
  return [
    [
      'CPU of workerd from its start to the first answer: the api Worker; hono, zod and viem alone; `@x402/hono`; an empty Worker',
      (['api', 'libraries', 'middleware', 'empty'] as const)
        .map((side) => `${Math.round(median(startUp.cpuMs[side]))} ms`)
        .join('; '),
    ],
    [
      `Runs that call the right brand when the truth is ${power.pair}`,
      `${formatPercent(power.right.rate.value)} (${formatPercent(power.right.rate.low)} to ${formatPercent(power.right.rate.high)})`,
    ],
    [
      'Is a brand recommended? Frozen answers: precision, recall',
      `${precision.value.toFixed(2)}, ${recall.value.toFixed(2)}`,
    ],
    ['Calls a second through the official client, against a Worker with a canned body', ratios.join(', ')],
    ['Database of a tenant with 100,000 users', `${management.sizes.at(-1)?.databaseMiB} MiB`],
    [
      'AI Search: questions that only ours answers, and only `minisearch`',
      `${search.onlyOurs.length}, ${search.onlyPeer.length}`,
    ],
    [
      'AI Search: queries a second by CPU, against `minisearch`, which keeps all in memory; against it with prefixes and fuzzy words',
      `${formatRatio(plain.leastMs / ours.leastMs)}, ${formatRatio(wide.leastMs / ours.leastMs)}`,
    ],
    [
      'AI Search: text to chunks to index by CPU, against `minisearch`',
      formatRatio(search.filling.plain.leastMs / search.filling.ours.leastMs),
    ],
    ['AI Search: database without raw files, against the text', formatRatio(search.size.ratio)],
  ];
}

const renderTable = (
  title: string,
  heads: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): readonly string[] => [
  `## ${title}`,
  '',
  `| ${heads.join(' | ')} |`,
  '|---|---|',
  ...rows.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`),
  '',
];

const formatFigure = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US', { maximumSignificantDigits: 6 })}${unit === '' || unit.startsWith('/') ? unit : ` ${unit}`}`;
const formatRatio = (ratio: number): string => `${Number(ratio.toPrecision(3))} x`;
const formatPercent = (share: number): string => `${Math.round(share * 100)} %`;
/** What a call of the directory asks for, in the name of an aim. */
const QUERY = /(?:users|groups)\?.+?(?= with )|(?<=pages of )[^,]+(?=, which)/;

/** The name of an aim as Markdown: calls are code. */
const renderName = (name: string): string => (QUERY.test(name) ? name.replace(QUERY, '`$&`') : escapeCell(name));

/** Names may hold what Markdown or a table would take for its own. */
const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');
