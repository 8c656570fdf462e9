import * as z from 'zod';
import { safeLine } from './safe-text.ts';

const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.number() });
const side = z.object({
  mention_rate: rate,
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
  engine: z.object({ kind: z.string(), model: z.string() }),
  prompts: z.object({ valid: z.number(), total: z.number() }),
  warnings: z.array(z.string()),
});
const versus = z.object({
  competitor_brand: z.string(),
  brands: z.object({ brand: side, competitor: side }),
  verdict: z.string(),
  p_value: z.number(),
  discordant: z.object({ brand_only: z.number(), competitor_only: z.number() }),
  smallest_visible_difference: z.number(),
});

const MAX_RIVALS = 8;
const LABEL_WIDTH = 26;

/** A measurement for people at a terminal. Names and quotes come from answers: one safe line each. */
export function visibilityLines(result: Record<string, unknown>): string[] {
  const { brand, niche, engine, prompts, warnings, run_id } = common.parse(result);
  const pair = versus.safeParse(result);
  const head = [
    `${safeLine(brand)} in answers about ${safeLine(niche)}`,
    `${prompts.valid} of ${prompts.total} prompts answered by ${safeLine(engine.kind)} (${safeLine(engine.model)}), run ${safeLine(run_id)}`,
    ...warnings.map((warning) => `! ${safeLine(warning)}`),
    '',
  ];
  if (!pair.success) return [...head, ...sideLines(side.parse(result))];
  const { competitor_brand: competitor, brands, verdict, p_value: p, discordant } = pair.data;
  const names = { brand, competitor, too_close_to_call: 'too close to call' } as const;
  return [
    ...head,
    `Verdict: ${safeLine(names[verdict as keyof typeof names])} (p ${p}; only ${safeLine(brand)} ${discordant.brand_only}, only ${safeLine(competitor)} ${discordant.competitor_only})`,
    `This run could see a difference of ${percent(pair.data.smallest_visible_difference)} or more.`,
    '',
    `-- ${safeLine(brand)}`,
    ...sideLines(brands.brand),
    '',
    `-- ${safeLine(competitor)}`,
    ...sideLines(brands.competitor),
  ];
}

function sideLines(report: z.infer<typeof side>): string[] {
  const row = (label: string, value: string): string => `${label.padEnd(LABEL_WIDTH)} ${value}`;
  return [
    row('Mentioned', rateText(report.mention_rate)),
    row('Recommended', rateText(report.recommendation_rate)),
    row('Share of voice', report.share_of_voice ? rateText(report.share_of_voice) : 'nobody was named'),
    ...report.intents.map(({ label, mention_rate }) =>
      row(`  ${label}`, mention_rate ? rateText(mention_rate) : 'no answers'),
    ),
    '',
    'Rivals (answers that name them, recommend them):',
    ...report.rivals
      .slice(0, MAX_RIVALS)
      .map(({ name, mentioned, recommended }) => `  ${safeLine(name)}: ${mentioned}, ${recommended}`),
    ...report.weak_spots.flatMap(({ topic, who_wins, evidence }, at) => [
      ...(at === 0 ? ['', 'Weak spots:'] : []),
      `  ${safeLine(topic)}${who_wins === undefined ? '' : `: ${safeLine(who_wins)} wins`}`,
      ...(evidence === undefined ? [] : [`    ${safeLine(evidence)}`]),
    ]),
    ...report.notes.map((note) => `Note: ${safeLine(note)}`),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const rateText = ({ value, low, high, n }: z.infer<typeof rate>): string =>
  `${percent(value).padStart(5)}  (95 %: ${percent(low)} to ${percent(high)}, n ${n})`;
