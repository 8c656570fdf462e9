import * as z from 'zod';
import { getEffort } from '../../audit/core/fix-order.ts';
import { formatPercent } from '../../lib/numbers.ts';
import { formatAccuracy } from '../../report/reportable.ts';
import { formatSafeLine, wrapText } from '../core/terminal.ts';

/** What a person reads without scrolling: lines, and characters of a line. */
const SCREEN_LINES = 40;
const WIDTH = 100;
/** Longest reason why a score does not apply; those of our scores are shorter. */
const MAX_REASON_LENGTH = 3 * WIDTH;
const BAR_WIDTH = 24;
const LABEL_WIDTH = 7;
/** Lines around a list: the heading, what comes next, and blank lines. */
const FRAME_LINES = 9;
/** Fixes that are shown with what to do, and lines that each may take. */
const FIRST_FIXES = 3;
const MAX_FIX_LINES = 2;
const MAX_WARNINGS = 2;

const checkSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  value: z.number().default(0),
  weight: z.number().default(0),
  note: z.string().default(''),
  why: z.string().default(''),
  fix: z.string().optional(),
  accuracy: z.object({ n: z.number(), right: z.number(), wrong: z.number() }).optional(),
});
type PrintedCheck = z.infer<typeof checkSchema>;

const scoreSchema = z.object({
  score: z.number(),
  grade: z.string(),
  coverage: z.number().optional(),
  applies: z.literal(false).optional(),
  reason: z.string().optional(),
  interval: z.object({ low: z.number(), high: z.number(), pages: z.number(), patterns: z.number() }).optional(),
  gates: z.array(z.object({ id: z.string(), cap: z.number() })).default([]),
  checks: z.array(checkSchema).default([]),
});
type PrintedScore = z.infer<typeof scoreSchema>;

const suggestedFix = z.object({
  check_id: z.string(),
  title: z.string().optional(),
  fix: z.string(),
  gains: z.record(z.string(), z.number()).default({}),
});

/** The part of a result that is an audit: scores, or the checks of one subject. */
export const auditedSchema = z.object({
  url: z.string().optional(),
  scores: z.record(z.string(), scoreSchema).optional(),
  checks: z.array(checkSchema).optional(),
  summary: z.object({ fixes: z.array(suggestedFix).default([]) }).optional(),
  profile: z.object({ name: z.string() }).optional(),
  rubric: z.object({ version: z.string() }).optional(),
  warnings: z.array(z.string()).default([]),
  ignored: z.array(z.object({ check: z.string(), reason: z.string(), expires: z.string().optional() })).default([]),
});
type Audited = z.infer<typeof auditedSchema>;

type SuggestedFix = z.infer<typeof suggestedFix>;

/** Words of the scores in narrow places. */
const SHORT_NAMES: Readonly<Record<string, string>> = { aeo: 'AEO', geo: 'GEO', agent: 'Agent', mcp: 'MCP' };

/**
 * An audit for a person: the scores that apply, what to do first, counts that add up, and where the rest is. One screen,
 * unless all of it is asked for. Every text may come from the audited site: none is printed unstripped (rule X8).
 */
export function formatAudit(audited: Audited, { isVerbose }: { isVerbose: boolean }): string[] {
  const checks = listUniqueChecks(audited);
  const titles = new Map(checks.map(({ id, title }) => [id, title]));
  const ignoredIds = new Set(audited.ignored.map(({ check }) => check));
  const counted = checks.filter(({ id }) => !ignoredIds.has(id));
  const top = [
    ...formatScores(Object.entries(audited.scores ?? {}), titles),
    ...formatRobotsLines(counted),
    ...formatFirstFixes(audited.summary?.fixes ?? [], titles),
    ...formatCounts(checks, audited),
  ];
  const bottom = formatWarnings(audited.warnings, isVerbose);
  const open = listOpenChecks(checks, audited);
  const room = isVerbose ? Infinity : SCREEN_LINES - top.length - bottom.length - FRAME_LINES;
  const lines = [...top, ...formatOpenChecks(open, audited, { isVerbose, room }), ...bottom];
  return lines[0] === '' ? lines.slice(1) : lines;
}

/** Each check once, though several scores may hold it. */
function listUniqueChecks({ scores = {}, checks = [] }: Audited): readonly PrintedCheck[] {
  const all = [...checks, ...Object.values(scores).flatMap((score) => score.checks)];
  return [...new Map(all.map((check) => [check.id, check])).values()];
}

/** A score as a bar of fixed width: `██████████░░░░░`. */
export function formatScoreBar(score: number, width = BAR_WIDTH): string {
  const bounded = Math.min(Math.max(score, 0), 100);
  const filled = Math.round((bounded / 100) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

const formatName = (name: string): string => SHORT_NAMES[name] ?? formatSafeLine(name);

function formatScores(
  scores: readonly (readonly [string, PrintedScore])[],
  titles: ReadonlyMap<string, string>,
): string[] {
  const applying = scores.filter(([, { applies }]) => applies !== false);
  const others = scores.filter(([, { applies }]) => applies === false);
  const away = others.map(([name, { reason = '' }]) =>
    `${formatName(name)} does not apply. ${formatSafeLine(reason)}`.trim(),
  );
  const lines = applying.flatMap(([name, score]) => formatScore(name, score, titles));
  return [...lines, ...away.flatMap((line) => wrapText(formatSafeLine(line, MAX_REASON_LENGTH), WIDTH))];
}

function formatScore(
  name: string,
  { score, grade, coverage, interval, gates }: PrintedScore,
  titles: ReadonlyMap<string, string>,
): string[] {
  const indent = ' '.repeat(LABEL_WIDTH);
  const seen = coverage === undefined ? '' : `  ${formatPercent(coverage)} of the rubric assessed`;
  const range =
    interval === undefined
      ? ''
      : `; ${interval.low} to ${interval.high} by other pages of the site (95 %, ${interval.pages} pages)`;
  const bar = `${formatName(name).padEnd(LABEL_WIDTH)}${formatScoreBar(score)} ${String(score).padStart(3)} ${formatSafeLine(grade)}`;
  const capped = gates.map(
    ({ id, cap }) => `${indent}at most ${cap} until fixed: ${formatSafeLine(titles.get(id) ?? id)}`,
  );
  return [`${bar}${seen}${range}`, ...capped.map((line) => formatSafeLine(line, WIDTH))];
}

/** Whom robots.txt may keep out, the most important first, and how a person calls that. */
const CLOSED_TO = [
  ['aeo.robots.ai-search-bots', 'Closed to AI search'],
  ['aeo.robots.user-fetchers', 'Closed to assistants that a person sends here'],
  ['aeo.robots.blanket-block', 'Closed to crawlers that have no rule of their own'],
] as const;

const WHAT_TO_DO =
  'This audit read the page all the same; they will not. Unless you want that, remove the rule or deploy the robots.txt that sightline fix writes.';
const UNKNOWN =
  'robots.txt gave no answer in time: whether AI search may read the site is unknown. Check the file, then audit again.';

/** What robots.txt forbids to readers who obey it, in plain words with what to do; empty where it forbids none of them. */
function formatRobotsLines(checks: readonly PrintedCheck[]): readonly string[] {
  const find = (id: string): PrintedCheck | undefined => checks.find((check) => check.id === id);
  const closed = CLOSED_TO.flatMap(([id, words]) => {
    const check = find(id);
    return check?.status === 'fail' || check?.status === 'partial' ? [`${words}: ${check.note}`] : [];
  });
  const [first] = closed;
  if (first !== undefined)
    return ['', formatSafeLine(first, WIDTH), ...wrapText(WHAT_TO_DO, WIDTH - 3).map((line) => `   ${line}`)];
  return find(CLOSED_TO[0][0])?.status === 'unknown' ? ['', ...wrapText(UNKNOWN, WIDTH)] : [];
}

const EFFORTS = { minutes: 'minutes', hours: 'hours', days: 'days' } as const;

function formatFirstFixes(fixes: readonly SuggestedFix[], titles: ReadonlyMap<string, string>): string[] {
  if (fixes.length === 0) return [];
  const lines = fixes.slice(0, FIRST_FIXES).flatMap(({ check_id: id, title, fix, gains }, index) => {
    const gained = Object.entries(gains).map(([name, points]) => `+${points} ${formatName(name)}`);
    const worth = [...gained, `${EFFORTS[getEffort(id)]} of work`].join(', ');
    return [
      `${index + 1}. ${formatSafeLine(title ?? titles.get(id) ?? id)} (${worth})`,
      ...formatShortText(fix).map((line) => `   ${line}`),
    ];
  });
  return ['', 'Do first', ...lines];
}

/** At most two lines of a text. */
function formatShortText(text: string): readonly string[] {
  const lines = wrapText(formatSafeLine(text, 2 * WIDTH), WIDTH - 4);
  return lines.length <= MAX_FIX_LINES
    ? lines
    : [...lines.slice(0, MAX_FIX_LINES - 1), `${lines[MAX_FIX_LINES - 1] ?? ''} …`];
}

/** How many checks came to what. Each is counted once, so that the parts add up to all of them. */
function formatCounts(checks: readonly PrintedCheck[], { ignored }: Audited): string[] {
  if (checks.length === 0) return [];
  const ignoredIds = new Set(ignored.map(({ check }) => check));
  const judged = checks.filter(({ id, weight }) => weight > 0 && !ignoredIds.has(id));
  const count = (status: string): number => judged.filter((check) => check.status === status).length;
  const reported = checks.filter(({ id, weight }) => weight === 0 && !ignoredIds.has(id)).length;
  const known = checks.filter(({ id }) => ignoredIds.has(id)).length;
  const parts = [
    `${count('pass')} passed`,
    `${count('fail')} failed`,
    `${count('partial')} partly`,
    `${count('unknown')} unknown`,
    `${count('not_applicable')} not applicable`,
    `${reported} reported only`,
    ...(known === 0 ? [] : [`${known} ignored`]),
  ];
  const names = ignored.map(
    ({ check, reason, expires }) =>
      `Ignored: ${formatSafeLine(check)} (${formatSafeLine(reason)}${expires === undefined ? '' : `, until ${formatSafeLine(expires)}`})`,
  );
  return ['', `${checks.length} checks: ${parts.join(', ')}`, ...names.map((line) => formatSafeLine(line, WIDTH))];
}

/** What did not pass: in the order of what to do first, then the heaviest loss; what has no weight comes last. */
function listOpenChecks(checks: readonly PrintedCheck[], { summary, ignored }: Audited): readonly PrintedCheck[] {
  const places = new Map(summary?.fixes.map(({ check_id: id }, index) => [id, index]));
  const ignoredIds = new Set(ignored.map(({ check }) => check));
  const place = ({ id }: PrintedCheck): number => places.get(id) ?? Infinity;
  const loss = ({ weight, value }: PrintedCheck): number => weight * (1 - value);
  return checks
    .filter(({ id, status }) => (status === 'fail' || status === 'partial') && !ignoredIds.has(id))
    .toSorted((a, b) => comparePlaces(place(a), place(b)) || loss(b) - loss(a) || (a.id < b.id ? -1 : 1));
}

const comparePlaces = (a: number, b: number): number => (a === b ? 0 : a - b);

type Listing = { isVerbose: boolean; room: number };

function formatOpenChecks(open: readonly PrintedCheck[], { summary }: Audited, { isVerbose, room }: Listing): string[] {
  const fixOf = new Map(summary?.fixes.map(({ check_id: id, fix }) => [id, fix]));
  if (isVerbose)
    return open.length === 0
      ? []
      : ['', 'Did not pass', ...open.flatMap((check) => formatWholeCheck(check, fixOf.get(check.id)))];
  const shownAbove = new Set(summary?.fixes.slice(0, FIRST_FIXES).map(({ check_id: id }) => id));
  const rest = open.filter(({ id, weight }) => !shownAbove.has(id) && weight > 0);
  if (rest.length === 0) return [];
  const fits = Math.max(3, room);
  const lines = rest.slice(0, fits).map((check) => formatSafeLine(formatCheckLine(check), WIDTH));
  return [
    '',
    'Then',
    ...lines,
    ...(rest.length > fits ? [`  and ${rest.length - fits} more: --verbose lists them`] : []),
  ];
}

const MARKS: Readonly<Record<string, string>> = { fail: '✗', partial: '~' };

/** What has no weight is reported, not failed. */
const formatCheckLine = ({ id, title, status, weight }: PrintedCheck): string =>
  `${weight === 0 ? 'info' : (MARKS[status] ?? '?')} ${formatSafeLine(title)}  [${formatSafeLine(id)}]`;

function formatWholeCheck(check: PrintedCheck, fix: string | undefined): readonly string[] {
  const { note, why, accuracy } = check;
  const advice = check.fix ?? fix;
  return [
    formatCheckLine(check),
    ...(note === '' ? [] : [`    ${formatSafeLine(note)}`]),
    ...(advice === undefined ? [] : [`    Fix: ${formatSafeLine(advice)}`]),
    ...(advice === undefined && why !== '' ? [`    Why: ${formatSafeLine(why)}`] : []),
    ...(accuracy === undefined ? [] : [`    ${formatAccuracy({ accuracy })}`]),
  ];
}

function formatWarnings(warnings: readonly string[], isVerbose: boolean): string[] {
  if (warnings.length === 0) return [];
  const shown = isVerbose ? warnings : warnings.slice(0, MAX_WARNINGS);
  const more =
    warnings.length > shown.length ? [`Warnings: ${warnings.length - shown.length} more with --verbose`] : [];
  return ['', ...shown.map((text) => formatSafeLine(`Warning: ${text}`, isVerbose ? 300 : WIDTH)), ...more];
}

/** Where the whole is, and how the fixes come as files. @param boughtAt address of a report that was bought: the same command would buy another */
export function formatNextSteps({ url, scores }: Audited, boughtAt?: string): string[] {
  const fixes =
    url === undefined || scores === undefined ? [] : [`Fixes as files:   sightline fix ${quoteWord(url)} --out fixes`];
  const whole =
    boughtAt === undefined
      ? 'The whole report: the same command with --format html -o report.html'
      : `The whole report: curl -o report.html ${quoteWord(`${boughtAt}.html`)}`;
  return [whole, ...fixes];
}

/** A word as a shell takes it. */
const quoteWord = (text: string): string => {
  const safe = formatSafeLine(text);
  return /^[\w.:/@%+=,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
};
