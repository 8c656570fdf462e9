import type * as z from 'zod';
import type { checkResult, compareResult, filesResult, fixResult, scoreResult } from '../../../capabilities/results.ts';
import type { versusResult, visibilityFixResult, visibilityResult } from '../../../capabilities/visibility-results.ts';
import type { Effort, FixAction, Host } from '../../../fixes/files/fix.ts';
import { formatPercent } from '../../../lib/numbers.ts';
import { DEFAULT_LANGUAGE, type PageLanguage, type Translated } from '../../language/language.ts';
import type { EngineKind, FailureReason, FinishReason } from '../../../models/port.ts';
import type { RefusalKind } from '../../../visibility/refusals/refusal-kinds.ts';

/** Results as the pages get them: parsed by the schemas that the catalogue publishes. */
export type Compared = z.infer<typeof compareResult>;
export type Score = z.infer<typeof scoreResult>;
export type Check = z.infer<typeof checkResult>;
export type ReportEvidence = Check['evidence'][number];
export type ReportFix = z.infer<typeof fixResult>;
export type ReportFile = z.infer<typeof filesResult>['files'][number];

export type Visibility = z.infer<typeof visibilityResult>;
export type Versus = z.infer<typeof versusResult>;
export type VisibilityFixes = z.infer<typeof visibilityFixResult>;
/** What is said about one brand: the whole of a check, or one of the two sides of a comparison. */
export type ReportedBrand = Omit<Versus['brands']['brand'], 'name'>;
/** How the answers were got, the same for every brand that is measured on them. */
export type Measurement = Pick<
  Visibility,
  'niche' | 'run_id' | 'degraded' | 'engine' | 'prompts' | 'transcripts_sha256'
>;
export type ReportedRate = ReportedBrand['recommendation_rate'];

/** Words of the pages and of the Markdown forms, so that both say the same. */

const UNTIL: Translated<string> = { en: 'to', de: 'bis' };

/** `13 % to 43 %`. */
export const formatInterval = (
  { low, high }: { low: number; high: number },
  language: PageLanguage = DEFAULT_LANGUAGE,
): string => `${formatPercent(low)} ${UNTIL[language]} ${formatPercent(high)}`;

/** Of what was not there to be judged: a missing number is not 0. */
export const COULD_NOT_CHECK: Translated<string> = { en: 'Could not check', de: 'Nicht prüfbar' };

/** A p value as the result has it: it is rounded there. */
export const formatProbability = (p: number, language: PageLanguage = DEFAULT_LANGUAGE): string =>
  new Intl.NumberFormat(language, { maximumSignificantDigits: 6 }).format(p);

/** How many of the answers a share of them is: shares of answers come from counts. */
export const computeCount = ({ value, n }: ReportedRate): number => Math.round(value * n);

/** `1 answer`, `3 answers`. */
export const formatQuantity = (count: number, one: string, more: string = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

/** The brand and its rivals, most often named first; of those that tie, the brand is first. */
export function rankBrands(report: ReportedBrand): readonly ('own' | ReportedBrand['rivals'][number])[] {
  const above = report.rivals.filter(({ mentioned }) => mentioned > computeCount(report.mention_rate));
  return [...above, 'own', ...report.rivals.filter((rival) => !above.includes(rival))];
}

export const FAILURES: Readonly<Record<FailureReason, string>> = {
  timeout: 'the engine took too long',
  rate_limited: 'the engine limits how often it is asked',
  conflict: 'the engine was busy with the same question',
  unavailable: 'the engine was not available',
  empty_answer: 'the answer was empty',
  unauthorized: 'the engine refused our key',
  refused: 'the engine rejected the request',
  filtered: 'the engine filtered its answer',
  invalid_response: 'the answer could not be read',
  engine_fault: 'the engine failed',
  deadline: 'the time of the whole measurement was over',
  not_delivered: 'the question did not reach the engine',
  stopped: 'not asked, because the engine refused most of the first questions',
};

export const FINISHES: Readonly<Record<FinishReason, string>> = {
  stop: 'complete',
  length: 'cut off at the length limit',
  other: 'ended for another reason',
};

/** Why a text that came is no answer. */
export const REFUSALS: Readonly<Record<RefusalKind, string>> = {
  refusal: 'the engine refused to answer',
  stock_phrase: 'a stock phrase without an answer',
  wrong_language: 'written in another language than the question',
  off_topic: 'about something else',
};

/** What a demonstration is: said before any of its figures. Undefined for a model that was really asked. */
export const describeDemonstration = (engine: { kind: EngineKind; simulated: boolean }): string | undefined => {
  if (!engine.simulated) return undefined;
  return engine.kind === 'recorded'
    ? 'Recorded engine: these answers were replayed from a file. No AI model was asked. The figures describe that file.'
    : 'Simulated engine: these answers are invented. No AI model was asked, and real brands are unknown to it. The figures show what a result looks like and say nothing about any brand: do not act on them.';
};

export const EFFORTS: Readonly<Record<Effort, string>> = {
  minutes: 'Minutes',
  hours: 'Hours',
  days: 'Days',
};

export const ACTIONS: Readonly<Record<FixAction, string>> = {
  create: 'Create',
  replace: 'Replace',
  insert: 'Insert into',
  configure: 'Configure',
};

export const SERVERS: Readonly<Record<Host, string>> = {
  nginx: 'nginx',
  apache: 'Apache',
  cloudflare: 'Cloudflare',
  nextjs: 'Next.js',
  vercel: 'Vercel',
};

/** Short names of the scores, in their fixed order. */
export const SCORES = { aeo: 'AEO', geo: 'GEO', agent: 'Agent', mcp: 'MCP' } as const;

/** `+7 AEO, +17 GEO`: what a change gains in each score. */
export function formatGains(points: Partial<Record<keyof typeof SCORES, number | undefined>>): string {
  const names = Object.keys(SCORES) as (keyof typeof SCORES)[];
  return names
    .flatMap((name) => {
      const gain = points[name];
      return gain === undefined ? [] : [`${gain < 0 ? '−' : '+'}${Math.abs(gain)} ${SCORES[name]}`];
    })
    .join(', ');
}
