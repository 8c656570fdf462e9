import * as z from 'zod';
import { auditedSchema, formatAudit, formatNextSteps } from './print-audit.ts';
import { formatPanel } from './print-panel.ts';
import { formatMeasurement } from './print-visibility.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** Longest list that is printed whole; the JSON has the rest. */
const MAX_ROWS = 40;
const MAX_DEPTH = 4;
/** Lines of a file, and characters of a line, that are shown. */
const MAX_FILE_LINES = 60;
const MAX_LINE_CHARACTERS = 400;
const LABEL_WIDTH = 6;

const fixSchema = z.looseObject({
  id: z.string(),
  title: z.string().optional(),
  instructions: z.string().optional(),
  fix: z.string().optional(),
});
const fileSchema = z.object({
  path: z.string(),
  media_type: z.string(),
  content: z.string(),
  draft: z.boolean().default(false),
});
const paymentSchema = z.object({
  method: z.string(),
  transaction: z.string(),
  payer: z.string(),
  amount_usd: z.string(),
});

const resultSchema = z.looseObject({
  capability: z.string().optional(),
  url: z.string().optional(),
  report_id: z.string().optional(),
  report_url: z.string().optional(),
  fixes: z.array(fixSchema).optional(),
  files: z.array(fileSchema).optional(),
  warnings: z.array(z.string()).optional(),
  payment: paymentSchema.optional(),
  publish_token: z.string().optional(),
  receipt: z.unknown().optional(),
});
type PrintedResult = z.infer<typeof resultSchema>;

/** Fields with a section of their own, and fields that only fill a screen. */
const ALREADY_SHOWN = new Set([
  'capability',
  'url',
  'report_id',
  'report_url',
  'scores',
  'summary',
  'profile',
  'checks',
  'fixes',
  'files',
  'warnings',
  'payment',
  'requests',
  'rubric',
  'sites',
  'competitor',
  'categories',
  'gaps',
  'copy_first',
  'renderings',
  'promised',
  'server_files',
  'ignored',
  'crawler_access',
  'statement',
  'receipt',
  'publish_token',
]);

/**
 * A result as text for a terminal: an audit, a comparison, a measurement, fixes, files, payment. Every text in it may come
 * from the audited site: none reaches the terminal unstripped (rule X8).
 */
export function renderResult(
  result: Record<string, unknown>,
  { isVerbose = false }: { isVerbose?: boolean } = {},
): string {
  const measured = [...formatMeasurement(result), ...formatPanel(result)];
  if (measured.length > 0) return formatMeasuredResult(result, measured);
  const parsed = resultSchema.safeParse(result);
  const audited = auditedSchema.safeParse(result);
  const hasChecks = 'scores' in result || 'checks' in result;
  if (!parsed.success || (hasChecks && !audited.success)) return `${formatOutline(result, 0).join('\n')}\n`;
  const shown = parsed.data;
  const isAudit = hasChecks && audited.success;
  const sections = [
    formatHeading(shown),
    isAudit ? formatAudit(audited.data, { isVerbose }) : [],
    formatComparison(result),
    (shown.fixes ?? []).slice(0, MAX_ROWS).flatMap(fixLines),
    (shown.files ?? []).slice(0, MAX_ROWS).flatMap(formatFile),
    formatOtherMembers(result),
    isAudit
      ? formatNextSteps(audited.data, shown.report_url)
      : (shown.warnings ?? []).map((text) => `Warning: ${formatSafeLine(text)}`),
    formatPayment(shown),
    formatKeepsakes(shown),
  ];
  return joinSections(sections);
}

/** A measurement, with its report and payment where it was bought. */
function formatMeasuredResult(result: Record<string, unknown>, measured: readonly string[]): string {
  const { capability, report_id: reportId, report_url: url, payment, receipt } = result;
  const bought = resultSchema.safeParse(
    reportId === undefined ? {} : { capability, report_id: reportId, report_url: url, payment, receipt },
  );
  const shown = bought.success ? bought.data : {};
  return joinSections([formatHeading(shown), measured, formatPayment(shown), formatKeepsakes(shown)]);
}

const joinSections = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;

function formatHeading({ capability, url, report_id: reportId, report_url }: PrintedResult): string[] {
  const what = [capability, url].filter((part) => part !== undefined).map((part) => formatSafeLine(part));
  const place = report_url ?? reportId;
  return [what.join('  '), ...(place === undefined ? [] : [`Report ${formatSafeLine(place)}`])].filter(
    (line) => line !== '',
  );
}

const formatRemainder = (length: number): string[] =>
  length > MAX_ROWS ? [`... and ${length - MAX_ROWS} more; --json has them all`] : [];

function fixLines({ id, title, instructions, fix }: z.infer<typeof fixSchema>): string[] {
  const text = instructions ?? fix;
  return [`Fix ${formatSafeLine(title ?? id)}`, ...(text === undefined ? [] : [`    ${formatSafeLine(text)}`])];
}

/** A file's name and its text, so that a generated file can be read where it was made; `--out` writes it whole. */
function formatFile({ path, media_type: mediaType, content, draft }: z.infer<typeof fileSchema>): string[] {
  const lines = content.split('\n');
  const shown = lines
    .slice(0, MAX_FILE_LINES)
    .map((line) => `    ${formatSafeLine(line, MAX_LINE_CHARACTERS)}`.trimEnd());
  const rest = lines.length > MAX_FILE_LINES ? [`    ... ${lines.length - MAX_FILE_LINES} more lines`] : [];
  return [
    `File ${formatSafeLine(path)} (${formatSafeLine(mediaType)}, ${Buffer.byteLength(content)} bytes)${draft ? ': a draft, fill in its slots first' : ''}`,
    ...shown,
    ...rest,
  ];
}

function formatOtherMembers(result: Record<string, unknown>): string[] {
  return formatOutline(Object.fromEntries(Object.entries(result).filter(([key]) => !ALREADY_SHOWN.has(key))), 0);
}

/** Any data as indented lines, bounded in depth and length. */
function formatOutline(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null) return [formatSafeLine(String(value))];
  if (depth >= MAX_DEPTH) return ['...'];
  const entries = Array.isArray(value) ? value.map((item: unknown) => ['-', item] as const) : Object.entries(value);
  const lines = entries.slice(0, MAX_ROWS).flatMap(([key, inner]) => {
    const label = Array.isArray(value) ? '-' : `${formatSafeLine(key)}:`;
    const below = formatOutline(inner, depth + 1);
    const isScalar = typeof inner !== 'object' || inner === null;
    return isScalar ? [`${label} ${below.join('')}`] : [label, ...below.map((line) => `  ${line}`)];
  });
  return [...lines, ...formatRemainder(entries.length)];
}

function formatPayment({ payment }: PrintedResult): string[] {
  if (payment === undefined) return [];
  const { amount_usd: amountUsd, method, payer, transaction } = payment;
  return [
    `Paid ${formatSafeLine(amountUsd)} USDC by ${formatSafeLine(method)} from ${formatSafeLine(payer)}`,
    `Transaction ${formatSafeLine(transaction)}`,
  ];
}

/** What only the buyer's own answer has. */
function formatKeepsakes({ publish_token: token, receipt }: PrintedResult): string[] {
  return [
    ...(token === undefined ? [] : [`Publish token, for you alone: ${formatSafeLine(token)}`]),
    ...(receipt === undefined
      ? []
      : ['The signed receipt is in JSON only: buy with --json -o result.json to store it.']),
  ];
}

/** That a result was paid for, in one line; undefined where it was not. */
export function formatPaidLine(result: Record<string, unknown>): string | undefined {
  const parsed = resultSchema.safeParse(result);
  return parsed.success ? formatPayment(parsed.data)[0] : undefined;
}

const category = z.object({
  category: z.string(),
  winner: z.string(),
  scores: z.object({ url: z.number(), competitor: z.number() }),
  applies: z.object({ url: z.boolean(), competitor: z.boolean() }).optional(),
  why: z.string(),
});
const copy = z.object({ check_id: z.string(), title: z.string(), points: z.number(), fix: z.string() });
const comparisonSchema = z.object({
  competitor: z.string().optional(),
  categories: z.array(category),
  copy_first: z.array(copy),
});

/** The part of a result that compares two sites: who wins each category and why, then what to copy. Empty for others. */
export function formatComparison(result: Record<string, unknown>): string[] {
  const parsed = comparisonSchema.safeParse(result);
  if (!parsed.success) return [];
  const { competitor, categories, copy_first: first } = parsed.data;
  const against = competitor === undefined ? [] : [`against ${formatSafeLine(competitor)}`, ''];
  const rows = categories.flatMap(({ category: name, winner, scores, applies, why }) => [
    applies !== undefined
      ? `${formatSafeLine(name).padEnd(LABEL_WIDTH)} not compared`
      : `${formatSafeLine(name).padEnd(LABEL_WIDTH)} ${String(scores.url).padStart(3)} : ${String(scores.competitor).padEnd(3)} ${formatSafeLine(winner)}`,
    `    ${formatSafeLine(why)}`,
  ]);
  const copies = first.flatMap(({ check_id: id, title, points, fix }, index) => [
    `${index + 1}. ${formatSafeLine(title)}  [${formatSafeLine(id)}]${points > 0 ? `  +${points}` : ''}`,
    `    ${formatSafeLine(fix)}`,
  ]);
  return [...against, ...rows, ...(copies.length === 0 ? [] : ['', 'Copy first:', ...copies])];
}
