import * as z from 'zod';
import { formatPercent } from '../../lib/numbers.ts';
import { formatSafeLine } from '../core/terminal.ts';
import {
  formatFixPackLines,
  formatNotes,
  formatRate,
  formatRefused,
  formatWeakSpots,
  measuredShapes,
} from './print-visibility.ts';

const { rate, side, pack } = measuredShapes;
const head = {
  name: z.string(),
  model: z.string(),
  web_search: z.boolean(),
  simulated: z.boolean(),
  valid: z.number(),
};
const engine = z.discriminatedUnion('status', [
  z.object({ ...head, status: z.literal('measured'), ...side.pick({ refused: true, mention_rate: true }).shape }),
  z.object({ ...head, status: z.literal('unavailable'), detail: z.string() }),
]);
const page = z.object({ url: z.string(), answers: z.number() });
const panel = z.object({
  brand: z.string(),
  niche: z.string(),
  degraded: z.boolean(),
  prompts: z.object({ total: z.number() }),
  engines: z.array(engine),
  pooled: z.object({
    mention_rate: rate,
    recommendation_rate: rate,
    share_of_voice: rate.nullable(),
    rivals: z.array(z.object({ name: z.string(), engines: z.number(), mention_rate: rate })),
    competitors: z.array(
      z.object({ name: z.string(), mention_rate: rate, adjusted_p_value: z.number(), verdict: z.string() }),
    ),
    weak_spots: side.shape.weak_spots,
  }),
  differences: z.array(
    z.object({
      engines: z.tuple([z.string(), z.string()]),
      first_only: z.number(),
      second_only: z.number(),
      adjusted_p_value: z.number(),
      verdict: z.enum(['first', 'second', 'too_close_to_call']),
    }),
  ),
  citations: z
    .object({
      answers: z.number(),
      own: z.object({ domain: z.string(), rate: rate.nullable() }).nullable(),
      pages: z.array(page),
    })
    .nullable(),
  notes: z.array(z.string()),
  warnings: z.array(z.string()),
});
type Panel = z.infer<typeof panel>;

/** Rows of a list; the JSON has the rest. */
const MAX_LISTED = 8;
const LABEL_WIDTH = 26;

/** A panel for people at a terminal, with its fix pack if there is one; empty for any other result. Names come from answers: one safe line each. */
export function formatPanel(result: Record<string, unknown>): readonly string[] {
  const read = panel.safeParse(result).data;
  return read === undefined
    ? []
    : [...formatFigures(read), ...formatFixPackLines(pack.safeParse(result).data ?? { fixes: [] })];
}

function formatFigures(read: Panel): readonly string[] {
  const { brand, niche, prompts, engines, pooled, degraded, warnings } = read;
  const voice = pooled.share_of_voice;
  return [
    `${formatSafeLine(brand)} in answers about ${formatSafeLine(niche)}`,
    `${prompts.total} prompts, asked of ${engines.length} engines`,
    ...(degraded ? ['! degraded: an engine has so few answers that its interval is wide, or none'] : []),
    ...warnings.map((warning) => `! ${formatSafeLine(warning)}`),
    '',
    'Mentioned, engine by engine:',
    ...engines.flatMap(formatEngine),
    '',
    'All engines, each with the same weight:',
    formatRow('Mentioned', formatRate(pooled.mention_rate)),
    formatRow('Recommended', formatRate(pooled.recommendation_rate)),
    formatRow('Share of voice', voice === null ? 'no brand was named' : formatRate(voice)),
    ...pooled.competitors.map(formatCompetitor),
    ...formatDifferences(read),
    '',
    'Rivals (engines that name them, mentioned):',
    ...pooled.rivals
      .slice(0, MAX_LISTED)
      .map(
        ({ name, engines: count, mention_rate: named }) =>
          `  ${formatSafeLine(name)}: ${count}, ${formatPercent(named.value)}`,
      ),
    ...formatWeakSpots({ weak_spots: pooled.weak_spots, intents: [] }),
    ...formatCitations(read.citations),
    ...formatNotes(read.notes),
  ];
}

const formatRow = (label: string, value: string): string => `${`  ${label}`.padEnd(LABEL_WIDTH)} ${value}`;

function formatEngine(one: Panel['engines'][number]): readonly string[] {
  const label = `${formatSafeLine(one.name)} (${formatSafeLine(one.model)})`;
  if (one.status === 'unavailable') return [formatRow(label, `not measured: ${formatSafeLine(one.detail)}`)];
  return [
    formatRow(label, formatRate(one.mention_rate)),
    ...(one.refused ? [`    ${formatRefused(one.refused)}`] : []),
  ];
}

function formatCompetitor({
  name,
  mention_rate: named,
  adjusted_p_value: p,
  verdict,
}: Panel['pooled']['competitors'][number]): string {
  const said = { brand: 'named less often', competitor: 'named more often' }[verdict] ?? 'too close to call';
  return formatRow(formatSafeLine(name), `${formatRate(named)}: ${said} (p ${p})`);
}

/** Engines that differ by more than chance; that none do is said too. */
function formatDifferences({ differences }: Panel): readonly string[] {
  const seen = differences.flatMap(
    ({ engines: [first, second], verdict, adjusted_p_value: p, first_only: one, second_only: other }) => {
      if (verdict === 'too_close_to_call') return [];
      const [more, less] = (verdict === 'first' ? [first, second] : [second, first]).map((name) =>
        formatSafeLine(name),
      );
      return [
        `  ${more} names it more often than ${less}: only ${formatSafeLine(first)} ${one}, only ${formatSafeLine(second)} ${other} (p ${p})`,
      ];
    },
  );
  if (differences.length === 0) return [];
  return ['', 'Where engines differ:', ...(seen.length === 0 ? ['  nowhere by more than chance'] : seen)];
}

function formatCitations(citations: Panel['citations']): readonly string[] {
  if (citations === null || citations.pages.length === 0) return [];
  const { own, pages, answers } = citations;
  return [
    '',
    `Pages cited most (in how many of ${answers} answers):`,
    ...pages.slice(0, MAX_LISTED).map((one) => `  ${formatSafeLine(one.url)}: ${one.answers}`),
    ...(own === null || own.rate === null ? [] : [formatRow(formatSafeLine(own.domain), formatRate(own.rate))]),
  ];
}
