import { isNeitherNamed } from '../../visibility/metrics/versus.ts';
import { formatPercent } from '../../lib/numbers.ts';
import * as z from 'zod';
import { refusalKinds } from '../../visibility/refusals/refusal-kinds.ts';
import { REFUSALS } from '../../web/report/parts/words.ts';
import { formatSafeLine } from '../core/terminal.ts';

const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.number() });
const side = z.object({
  refused: z.object({ total: z.number(), by_kind: z.partialRecord(z.enum(refusalKinds), z.number()) }).optional(),
  mention_rate: rate.extend({ worst_case: z.object({ low: z.number(), high: z.number() }).optional() }),
  recommendation_rate: rate,
  share_of_voice: rate.nullable(),
  rivals: z.array(z.object({ name: z.string(), mentioned: z.number(), recommended: z.number() })),
  recommended_instead: z.array(z.object({ name: z.string(), answers: z.number(), of: z.number() })),
  intents: z.array(z.object({ label: z.string(), mention_rate: rate.nullable() })),
  weak_spots: z.array(
    z.object({ topic: z.string(), who_wins: z.string().optional(), evidence: z.string().optional() }),
  ),
  notes: z.array(z.string()),
});
const common = z.object({
  brand: z.string(),
  niche: z.string(),
  run_id: z.string(),
  degraded: z.boolean(),
  engine: z.object({ kind: z.string(), model: z.string() }),
  prompts: z.object({ valid: z.number(), total: z.number() }),
  warnings: z.array(z.string()),
});
const versus = z.object({
  competitor_brand: z.string(),
  brands: z.object({ brand: side, competitor: side }),
  verdict: z.enum(['brand', 'competitor', 'too_close_to_call']),
  p_value: z.number(),
  discordant: z.object({ brand_only: z.number(), competitor_only: z.number(), both: z.number() }),
  smallest_visible_difference: z.number().nullable(),
  notes: z.array(z.string()),
});

const pack = z.object({
  filled: z.object({ sentences: z.number(), to_write: z.number() }).optional(),
  fixes: z.array(z.object({ topic: z.string(), passage: z.string(), llms_txt_section: z.string() })),
});

/** Shapes that a panel has too. */
export const measuredShapes = { rate, side, pack };

const MAX_RIVALS = 8;
/** Characters of one line of a generated text: paragraphs are lines. */
const MAX_PARAGRAPH = 8000;
/** Characters of evidence: a quote of 240, and the counts of two names of 120 behind it. */
const MAX_EVIDENCE = 540;
const LABEL_WIDTH = 26;
/** An intent has five prompts; some may have no answer. */
const COUNT_WORDS = ['none', 'one', 'two', 'three', 'four', 'five'] as const;

/** The same for any result of the service: empty for one that is no measurement. */
export const formatMeasurement = (result: Record<string, unknown>): string[] =>
  common.safeParse(result).success ? formatVisibility(result) : [];

/** A measurement for people at a terminal, with its fix pack if there is one. Names and quotes come from answers: one safe line each. */
export const formatVisibility = (result: Record<string, unknown>): string[] => [
  ...reportLines(result),
  ...formatFixPackLines(pack.safeParse(result).data ?? { fixes: [] }),
];

function reportLines(result: Record<string, unknown>): string[] {
  const { brand, niche, engine, prompts, degraded, warnings, run_id } = common.parse(result);
  const pair = versus.safeParse(result);
  const { refused } = pair.success ? pair.data.brands.brand : side.parse(result);
  return [
    `${formatSafeLine(brand)} in answers about ${formatSafeLine(niche)}`,
    `${prompts.valid} of ${prompts.total} prompts answered by ${formatSafeLine(engine.kind)} (${formatSafeLine(engine.model)}), run ${formatSafeLine(run_id)}`,
    ...(refused ? [formatRefused(refused)] : []),
    ...(degraded ? ['! degraded: so many prompts have no answer that every interval is wide'] : []),
    ...warnings.map((warning) => `! ${formatSafeLine(warning)}`),
    '',
    ...(pair.success ? formatVersus(brand, pair.data) : formatSide(side.parse(result))),
  ];
}

/** A refusal is one way of several to write something that is no answer: each is named. */
export function formatRefused({ total, by_kind: kinds }: NonNullable<z.infer<typeof side>['refused']>): string {
  const said = refusalKinds.flatMap((kind) => (kinds[kind] ? [`${kinds[kind]} × ${REFUSALS[kind]}`] : []));
  return `${total} without a real answer (${said.join('; ')}): counted in no rate, and not as "not named"`;
}

function formatVersus(brand: string, pair: z.infer<typeof versus>): string[] {
  const { competitor_brand: competitor, brands, verdict, p_value: p, discordant } = pair;
  const names = {
    brand,
    competitor,
    too_close_to_call: isNeitherNamed(discordant) ? 'no answer names either' : 'too close to call',
  };
  const smallest = verdict === 'too_close_to_call' ? pair.smallest_visible_difference : null;
  return [
    `Verdict: ${formatSafeLine(names[verdict])} (p ${p}; only ${formatSafeLine(brand)} ${discordant.brand_only}, only ${formatSafeLine(competitor)} ${discordant.competitor_only})`,
    ...(smallest === null
      ? []
      : [`A run like this would see a true difference of ${Math.round(smallest * 100)} points in 80 % of runs.`]),
    ...formatNotes(pair.notes),
    '',
    `-- ${formatSafeLine(brand)}`,
    ...formatSide(brands.brand),
    '',
    `-- ${formatSafeLine(competitor)}`,
    ...formatSide(brands.competitor),
  ];
}

function formatSide(report: z.infer<typeof side>): string[] {
  const row = (label: string, value: string): string => `${label.padEnd(LABEL_WIDTH)} ${value}`;
  const { worst_case: worst } = report.mention_rate;
  return [
    row('Mentioned', formatRate(report.mention_rate)),
    ...(worst
      ? [`  if every missing answer had (not) named it: ${formatPercent(worst.low)} to ${formatPercent(worst.high)}`]
      : []),
    row('Recommended', formatRate(report.recommendation_rate)),
    row('Share of voice', report.share_of_voice ? formatRate(report.share_of_voice) : 'no brand was named'),
    ...report.intents.map(({ label, mention_rate }) =>
      row(`  ${label}`, mention_rate ? formatRate(mention_rate) : 'no answers'),
    ),
    '',
    'Rivals (answers that name them, recommend them):',
    ...report.rivals
      .slice(0, MAX_RIVALS)
      .map(({ name, mentioned, recommended }) => `  ${formatSafeLine(name)}: ${mentioned}, ${recommended}`),
    ...formatWeakSpots(report),
    ...formatNotes(report.notes),
  ];
}

/** No winner is named: the answers of one kind are too few to call one. */
export function formatWeakSpots({
  weak_spots: spots,
  intents,
}: Pick<z.infer<typeof side>, 'weak_spots' | 'intents'>): string[] {
  const answers = (topic: string): string => {
    const count = intents.find(({ label }) => label === topic)?.mention_rate?.n;
    return count === undefined ? 'answers' : (COUNT_WORDS[count] ?? String(count));
  };
  return spots.flatMap(({ topic, who_wins: ahead, evidence }, at) => [
    ...(at === 0 ? ['', 'Weak spots:'] : []),
    `  ${formatSafeLine(topic)}${ahead === undefined ? '' : `: ${formatSafeLine(ahead)} named more often in these ${answers(topic)}`}`,
    ...(evidence === undefined ? [] : [`    ${formatSafeLine(evidence, MAX_EVIDENCE)}`]),
  ]);
}

export const formatNotes = (notes: readonly string[]): string[] => notes.map((note) => `Note: ${formatSafeLine(note)}`);

export function formatFixPackLines({ fixes, filled }: z.infer<typeof pack>): string[] {
  const lines = (text: string): string[] => text.split('\n').map((line) => formatSafeLine(line, MAX_PARAGRAPH));
  if (fixes.length === 0) return [];
  return [
    ...fixes.flatMap(({ topic, passage, llms_txt_section: section }) => [
      '',
      `-- Fix: ${formatSafeLine(topic)}`,
      ...lines(passage),
      '',
      'For /llms.txt:',
      ...lines(section),
    ]),
    '',
    ...(filled === undefined || filled.to_write === 0
      ? []
      : [`Template: ${filled.to_write} of ${filled.sentences} sentences are yours to write.`]),
    'Fill every [FACT NEEDED: ...] slot from your own records. --json also gives the FAQ markup, and where each text goes.',
  ];
}

export const formatRate = ({ value, low, high, n }: z.infer<typeof rate>): string =>
  `${formatPercent(value).padStart(5)}  (95 %: ${formatPercent(low)} to ${formatPercent(high)}, n ${n})`;
