import type { CheckEvidence } from '../audit/core/evidence.ts';
import { SCORE_TITLES } from '../audit/core/summary.ts';
import type { WireCheck } from '../audit/core/wire.ts';
import type { Fix } from '../fixes/files/fix.ts';
import { codeCell, codeSpan, fenced, markdownText } from '../lib/safe-text.ts';
import { checksOf, namedScores, openChecks, type Reportable } from './reportable.ts';

/** Longest text of ours in a line. */
const MAX_TEXT = 2000;
/** Content and diffs of a fix longer than this are left to the JSON result. */
const MAX_BLOCK_CHARS = 12_000;
const MAX_ROWS = 300;

/**
 * A result as Markdown (CommonMark with tables). Text of the audited site stands in code spans and fences only: it makes
 * no link, image, mention or HTML, wherever the report is shown (rule X7).
 */
export function reportMarkdown(report: Reportable): string {
  const sections = [
    heading(report),
    scoreTable(report),
    comparison(report),
    openSection(report),
    fixSection(report.fixes),
    fileSection(report),
    allChecks(report),
    footer(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** Text of ours that may quote the site: no mention and no reference to an issue either, which a forge would act on. */
export const words = (text: string): string =>
  markdownText(text, MAX_TEXT)
    .replaceAll(/\\@(?=[\w-])/g, '`@`')
    .replaceAll(/\\#(?=\d)/g, '`#`');

function heading({ url, competitor, summary, warnings }: Reportable): string {
  const against = competitor === undefined ? '' : ` and ${codeSpan(competitor)}`;
  const lines = ['# AI visibility report', `Audited: ${codeSpan(url)}${against}`];
  if (summary !== undefined && summary.text !== '') lines.push(words(summary.text));
  for (const warning of warnings ?? []) lines.push(`> **Note:** ${words(warning)}`);
  return lines.join('\n\n');
}

function scoreTable({ scores }: Reportable): string {
  const rows = namedScores(scores).map(([name, { score, grade, coverage, gates }]) => {
    const caps = gates.map(({ id, cap }) => `${cap} by ${codeCell(id)}`).join(', ');
    return `| ${SCORE_TITLES[name]} | ${score} | ${grade} | ${Math.round(coverage * 100)} % | ${caps === '' ? 'none' : caps} |`;
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

function comparison({ categories, gaps, copy_first: copy }: Reportable): string {
  if (!categories) return '';
  const rows = categories.map(
    ({ title, scores, winner, why }) =>
      `| ${words(title)} | ${scores.url} | ${scores.competitor} | ${winner} | ${words(why)} |`,
  );
  const table = [
    '## Who wins',
    '',
    '| Category | Site | Competitor | Winner | Why |',
    '| --- | --: | --: | --- | --- |',
    ...rows,
  ];
  const first = (copy ?? []).map(
    ({ check_id: id, title, fix }) => `- **${words(title)}** (${codeSpan(id)}): ${words(fix)}`,
  );
  const gapRows = (gaps ?? [])
    .slice(0, MAX_ROWS)
    .map(
      ({ id, title, ahead, url, competitor }) =>
        `| ${words(title)} | ${codeCell(id)} | ${url.status} | ${competitor.status} | ${ahead} |`,
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
  const open = openChecks(checksOf(report));
  if (open.length === 0) return '';
  return ['## What to mend', ...open.slice(0, MAX_ROWS).map(openCheck)].join('\n\n');
}

function openCheck(check: WireCheck): string {
  const lines = [
    `### ${words(check.title)}`,
    `${check.status}, weight ${check.weight}, ${codeSpan(check.id)}`,
    words(check.note),
    `Why it matters: ${words(check.why)} (${words(check.source)})`,
    ...check.evidence.slice(0, 3).map((one) => `- ${evidenceLine(one)}`),
    `See it yourself:\n\n${fenced(check.reproduce, 'sh')}`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function evidenceLine({ url, status, header, selector, line, excerpt }: CheckEvidence): string {
  const parts = [
    codeSpan(url),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(header === undefined ? [] : [`header ${codeSpan(header)}`]),
    ...(selector === undefined ? [] : [`at ${codeSpan(selector)}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(excerpt === undefined || excerpt === '' ? [] : [codeSpan(excerpt)]),
  ];
  return parts.join(', ');
}

function fixSection(fixes: readonly Fix[] = []): string {
  if (fixes.length === 0) return '';
  return ['## Fixes', ...fixes.slice(0, MAX_ROWS).map(fixText)].join('\n\n');
}

function fixText(fix: Fix, index: number): string {
  const gains = Object.entries(fix.gains).map(([name, points]) => `+${points} ${name}`);
  const lines = [
    `### ${index + 1}. ${words(fix.title)}`,
    `${codeSpan(fix.id)}: ${fix.action} ${codeSpan(fix.file)}, ${fix.effort}${gains.length === 0 ? '' : `, ${gains.join(', ')}`}`,
    words(fix.instructions),
    ...(fix.diff === undefined ? [] : [block(fix.diff, 'diff')]),
    ...(fix.diff === undefined && fix.content !== undefined ? [block(fix.content, '')] : []),
    ...Object.entries(fix.configure ?? {}).map(([host, text]) => `For ${host}:\n\n${block(text, '')}`),
    ...(fix.facts_needed.length === 0 ? [] : [`Fill in: ${fix.facts_needed.map((fact) => codeSpan(fact)).join(', ')}`]),
    `Verify:\n\n${fenced(fix.verify.command, 'sh')}\n\n${words(fix.verify.expect)}`,
  ];
  return lines.join('\n\n');
}

const block = (text: string, language: string): string =>
  text.length > MAX_BLOCK_CHARS ? `(${text.length} characters: see the JSON result)` : fenced(text, language);

function fileSection({ files = [] }: Reportable): string {
  if (files.length === 0) return '';
  const parts = files.map(({ path, content }) => `### ${codeSpan(path)}\n\n${block(content, '')}`);
  return ['## Files', ...parts].join('\n\n');
}

function allChecks(report: Reportable): string {
  const checks = checksOf(report);
  if (checks.length === 0) return '';
  const rows = checks.map(
    ({ id, title, status, value, weight }) =>
      `| ${status} | ${words(title)} | ${codeCell(id)} | ${weight} | ${value} |`,
  );
  return [
    '## All checks',
    '',
    '| Status | Check | Id | Weight | Value |',
    '| --- | --- | --- | --: | --: |',
    ...rows,
  ].join('\n');
}

function footer({ rubric, profile, requests }: Reportable): string {
  const parts = [
    ...(rubric === undefined ? [] : [`Rubric ${words(rubric.version)} (${codeSpan(rubric.sha256.slice(0, 12))}).`]),
    ...(profile === undefined
      ? []
      : [`Judged as ${codeSpan(profile.name)}: ${profile.rests_on.map((clue) => codeSpan(clue)).join(', ')}.`]),
    ...(requests === undefined ? [] : [`${requests.length} requests.`]),
  ];
  return parts.join(' ');
}
