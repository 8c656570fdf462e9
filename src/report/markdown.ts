import { checks as catalogue } from '../audit/core/catalogue.ts';
import type { CheckEvidence } from '../audit/core/evidence.ts';
import { SCORE_TITLES } from '../audit/core/summary.ts';
import type { WireCheck } from '../audit/core/wire.ts';
import type { PackedFix } from '../fixes/files/fix.ts';
import { formatFixCondition, formatPromise } from '../fixes/files/fix-words.ts';
import { formatPercent } from '../lib/numbers.ts';
import { formatCodeCell, formatCodeSpan, fenceCodeBlock, escapeMarkdownText } from '../lib/safe-text.ts';
import { formatCheckPath } from './docs-links.ts';
import {
  formatAccuracy,
  formatComparedScores,
  formatScoreCell,
  listChecks,
  listNamedScores,
  OFTEN_WRONG,
  openChecks,
  type Reportable,
} from './reportable.ts';

/** Longest text of ours in a line. */
const MAX_TEXT = 2000;
/** Content and diffs of a fix longer than this are left to the JSON result. */
const MAX_BLOCK_CHARS = 12_000;
const MAX_ROWS = 300;

/**
 * A result as Markdown (CommonMark with tables). Text of the audited site is in code spans and fences only: it makes no
 * link, image, mention or HTML, wherever the report is shown (rule X7).
 */
export function reportMarkdown(report: Reportable): string {
  const sections = [
    renderHeading(report),
    renderScoreTable(report),
    renderComparison(report),
    openSection(report),
    renderFixSection(report),
    renderFiles(report),
    renderAllChecks(report),
    renderFooter(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** Text of ours that may quote the site: no mention and no reference to an issue either, which a forge would act on. */
export const escapeReferences = (text: string): string =>
  escapeMarkdownText(text, MAX_TEXT)
    .replaceAll(/\\@(?=[\w-])/g, '`@`')
    .replaceAll(/\\#(?=\d)/g, '`#`');

function renderHeading({ url, heading, competitor, summary, warnings }: Reportable): string {
  const against = competitor === undefined ? '' : ` and ${formatCodeSpan(competitor)}`;
  const lines = [`# ${heading ?? 'AI visibility report'}`, `Audited: ${formatCodeSpan(url)}${against}`];
  if (summary !== undefined && summary.text !== '') lines.push(escapeReferences(summary.text));
  for (const warning of warnings ?? []) lines.push(`> **Note:** ${escapeReferences(warning)}`);
  return lines.join('\n\n');
}

function renderScoreTable({ scores }: Reportable): string {
  const rows = listNamedScores(scores).map(([name, { score, grade, coverage, applies, interval, gates }]) => {
    if (applies === false) return `| ${SCORE_TITLES[name]} | does not apply | | | |`;
    const caps = gates.map(({ id, cap }) => `${cap} by ${formatCodeCell(id)}`).join(', ');
    return `| ${SCORE_TITLES[name]} | ${formatScoreCell(score, interval)} | ${grade} | ${formatPercent(coverage)} | ${caps === '' ? 'none' : caps} |`;
  });
  if (rows.length === 0) return '';
  return [
    '## Scores',
    '',
    '| Score | Points | Grade | Assessed | Capped at |',
    '| --- | --: | --- | --: | --- |',
    ...rows,
  ].join('\n');
}

function renderComparison({ categories, gaps, copy_first: copy }: Reportable): string {
  if (!categories) return '';
  const rows = categories.map(
    ({ title, scores, winner, applies, why }) =>
      `| ${escapeReferences(title)} | ${formatComparedScores(scores, applies).join(' | ')} | ${applies ? 'not compared' : winner} | ${escapeReferences(why)} |`,
  );
  const table = [
    '## Who wins',
    '',
    '| Category | Site | Competitor | Winner | Why |',
    '| --- | --: | --: | --- | --- |',
    ...rows,
  ];
  const first = (copy ?? []).map(
    ({ check_id: id, title, fix }) =>
      `- **${escapeReferences(title)}** (${formatCodeSpan(id)}): ${escapeReferences(fix)}`,
  );
  const gapRows = (gaps ?? [])
    .slice(0, MAX_ROWS)
    .map(
      ({ id, title, ahead, url, competitor }) =>
        `| ${escapeReferences(title)} | ${formatCodeCell(id)} | ${url.status} | ${competitor.status} | ${ahead} |`,
    );
  return [
    ...table,
    ...(first.length === 0 ? [] : ['', '## Copy first', '', ...first]),
    ...(gapRows.length === 0
      ? []
      : [
          '',
          '## Every difference',
          '',
          '| Check | Id | Site | Competitor | Ahead |',
          '| --- | --- | --- | --- | --- |',
          ...gapRows,
        ]),
  ].join('\n');
}

function openSection(report: Reportable): string {
  const ignored = new Set(report.ignored?.map(({ check }) => check));
  const open = openChecks(listChecks(report)).filter(({ id }) => !ignored.has(id));
  if (open.length === 0) return '';
  return ['## What to fix', ...open.slice(0, MAX_ROWS).map((check) => openCheck(check, report))].join('\n\n');
}

/** What our own table says to do, as the page of the report shows it. */
const remedies: ReadonlyMap<string, string> = new Map(catalogue.map(({ id, fix }) => [id, fix]));

function openCheck(check: WireCheck, { service, remedies: own = {} }: Reportable): string {
  const page = service === undefined ? undefined : formatCheckPath(check.id);
  const lines = [
    `### ${escapeReferences(check.title)}`,
    `${check.status}, weight ${check.weight}, ${formatCodeSpan(check.id)}`,
    escapeReferences(check.note),
    formatRemedy(remedies.get(check.id) ?? own[check.id]),
    formatAccuracy(check),
    `Why it matters: ${escapeReferences(check.why)} (${escapeReferences(check.source)})`,
    ...check.evidence.slice(0, 3).map((one) => `- ${renderEvidence(one)}`),
    `See it yourself:\n\n${fenceCodeBlock(check.reproduce, 'sh')}`,
    page === undefined ? '' : `[About this check](${service ?? ''}${page})`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function formatRemedy(text: string | undefined): string {
  return text === undefined ? '' : `What to do: ${escapeReferences(text)}`;
}

function renderEvidence({ url, status, header, selector, line, excerpt }: CheckEvidence): string {
  const parts = [
    formatCodeSpan(url),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(header === undefined ? [] : [`header ${formatCodeSpan(header)}`]),
    ...(selector === undefined ? [] : [`at ${formatCodeSpan(selector)}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(excerpt === undefined || excerpt === '' ? [] : [formatCodeSpan(excerpt)]),
  ];
  return parts.join(', ');
}

/** Every fix whole, in its order. */
export function renderFixSection({ fixes = [], promised }: Pick<Reportable, 'fixes' | 'promised'>): string {
  if (fixes.length === 0) return '';
  const promise = formatPromise(promised);
  return ['## Fixes', ...(promise === '' ? [] : [promise]), ...fixes.slice(0, MAX_ROWS).map(fixText)].join('\n\n');
}

function fixText(fix: PackedFix, index: number): string {
  const gains = Object.entries(fix.gains).map(([name, points]) => `+${points} ${name}`);
  const lines = [
    `### ${index + 1}. ${escapeReferences(fix.title)}`,
    `${formatCodeSpan(fix.id)}: ${fix.action} ${formatCodeSpan(fix.file)}, ${fix.effort}${formatWorth(fix, gains)}`,
    escapeReferences(fix.instructions),
    ...(fix.diff === undefined ? [] : [renderBlock(fix.diff, 'diff')]),
    ...(fix.diff === undefined && fix.content !== undefined ? [renderBlock(fix.content, '')] : []),
    ...Object.entries(fix.configure ?? {}).map(([host, text]) => `For ${host}:\n\n${renderBlock(text, '')}`),
    ...(fix.facts_needed.length === 0
      ? []
      : [`Fill in: ${fix.facts_needed.map((fact) => formatCodeSpan(fact)).join(', ')}`]),
    `Verify:\n\n${fenceCodeBlock(fix.verify.command, 'sh')}\n\n${escapeReferences(fix.verify.expect)}`,
  ];
  return lines.join('\n\n');
}

/** What it gains, and when. */
export function formatWorth(fix: PackedFix, gains: readonly string[]): string {
  const condition = formatFixCondition(fix);
  if (gains.length === 0) return '';
  return `, ${gains.join(', ')}${condition === '' ? '' : ` ${condition}`}`;
}

const renderBlock = (text: string, language: string): string =>
  text.length > MAX_BLOCK_CHARS ? `(${text.length} characters: see the JSON result)` : fenceCodeBlock(text, language);

const DRAFT = 'A draft: fill in its slots before you deploy it.';

function renderFiles({ files = [] }: Reportable): string {
  if (files.length === 0) return '';
  const parts = files.map(
    ({ path, content, draft }) =>
      `### ${formatCodeSpan(path)}\n\n${draft === true ? `${DRAFT}\n\n` : ''}${renderBlock(content, '')}`,
  );
  return ['## Files', ...parts].join('\n\n');
}

function renderAllChecks(report: Reportable): string {
  const checks = listChecks(report);
  if (checks.length === 0) return '';
  const rows = checks.map(
    ({ id, title, status, value, weight }) =>
      `| ${status} | ${escapeReferences(title)} | ${formatCodeCell(id)} | ${weight} | ${value} |`,
  );
  return [
    '## All checks',
    '',
    '| Status | Check | Id | Weight | Value |',
    '| --- | --- | --- | --: | --: |',
    ...rows,
    ...renderDoubts(checks),
  ].join('\n');
}

/** The checks that were often wrong on labelled pages, whatever they come to here. */
function renderDoubts(checks: readonly WireCheck[]): readonly string[] {
  const lines = checks
    .filter(({ accuracy }) => accuracy !== undefined)
    .map((check) => `- ${formatCodeSpan(check.id)}: ${formatAccuracy(check)}`);
  return lines.length === 0 ? [] : ['', OFTEN_WRONG, '', ...lines];
}

function renderFooter({ rubric, profile, requests }: Reportable): string {
  const parts = [
    ...(rubric === undefined
      ? []
      : [`Rubric ${escapeReferences(rubric.version)} (${formatCodeSpan(rubric.sha256.slice(0, 12))}).`]),
    ...(profile === undefined
      ? []
      : [
          `Site type ${formatCodeSpan(profile.name)}: ${profile.rests_on.map((clue) => formatCodeSpan(clue)).join(', ')}.`,
        ]),
    ...(requests === undefined ? [] : [`${requests.length} requests.`]),
  ];
  return parts.join(' ');
}
