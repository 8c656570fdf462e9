import { scoreNames } from '../audit/core/check.ts';
import type { SummaryMembers } from './summary-shape.ts';

/** The scores as sentences name them. */
export const SCORE_LABELS = { aeo: 'AEO', geo: 'GEO', agent: 'Agent Readiness', mcp: 'MCP Readiness' } as const;
const LEADERS = { url: 'your site', competitor: 'the competitor', tie: 'neither' } as const;
const VERDICTS = {
  brand: 'Your brand is ahead.',
  competitor: 'The competitor is ahead.',
  too_close_to_call: 'Too close to call.',
} as const;

type Said = Pick<
  SummaryMembers,
  'scores' | 'competitor_scores' | 'categories' | 'counts' | 'measurement' | 'do_first'
> & { files: number };

/** A result in a few sentences. Nothing that a site, a brand or an engine wrote gets in: numbers and our own words only (rule X4). */
export const formatHeadline = (said: Said): string =>
  [
    formatScoreWords(said.scores),
    ...(said.competitor_scores === undefined ? [] : [`Competitor: ${formatScoreWords(said.competitor_scores)}`]),
    formatLeaders(said.categories),
    formatCounts(said.counts),
    formatMeasurement(said.measurement),
    said.files === 0 ? '' : `${formatNumber(said.files, 'file')}.`,
    said.do_first.length === 0 || said.scores !== undefined || said.counts !== undefined
      ? ''
      : `${formatNumber(said.do_first.length, 'thing')} to do first.`,
  ]
    .filter((part) => part !== '')
    .join(' ');

function formatScoreWords(scores: Said['scores'] = {}): string {
  const words = scoreNames.flatMap((name) => {
    const one = scores[name];
    if (one === undefined) return [];
    return [
      one.coverage === 0
        ? `${SCORE_LABELS[name]} could not be assessed`
        : `${SCORE_LABELS[name]} ${one.score} of 100 (${one.grade})`,
    ];
  });
  return words.length === 0 ? '' : `${words.join(', ')}.`;
}

function formatLeaders(categories: Said['categories'] = []): string {
  const words = categories.map(({ category, winner }) => `${SCORE_LABELS[category]} ${LEADERS[winner]}`);
  return words.length === 0 ? '' : `Ahead by category: ${words.join(', ')}.`;
}

function formatCounts(counts: Said['counts']): string {
  if (counts === undefined) return '';
  const { fail, partial, unknown } = counts;
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const open = `${fail} of ${formatNumber(total, 'check')} ${fail === 1 ? 'fails' : 'fail'}, ${partial} ${partial === 1 ? 'passes' : 'pass'} partly`;
  return unknown === 0 ? `${open}.` : `${open}, ${unknown} could not be judged.`;
}

function formatMeasurement(measured: Said['measurement']): string {
  if (measured === undefined) return '';
  const { mention_rate, competitor_mention_rate: other, verdict, simulated } = measured;
  return [
    `Mentioned in ${formatRateWords(mention_rate)}.`,
    ...(other === undefined ? [] : [`Competitor in ${formatRateWords(other)}.`]),
    ...(verdict === undefined ? [] : [VERDICTS[verdict]]),
    ...(simulated ? ['Simulated answers: no AI was asked.'] : []),
  ].join(' ');
}

const formatRateWords = ({ value, low, high, n }: { value: number; low: number; high: number; n: number }): string =>
  `${formatShare(value)} % of ${n} answers (95 % interval ${formatShare(low)} to ${formatShare(high)} %)`;

const formatShare = (share: number): string => String(Number((share * 100).toFixed(1)));

const formatNumber = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
