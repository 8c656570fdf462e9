import { PRODUCT } from '../lib/product.ts';
import { SCORE_TITLES } from '../audit/core/summary.ts';
import type { WireCheck } from '../audit/core/wire.ts';
import { formatPlainLine, escapeXml } from '../lib/safe-text.ts';
import { formatAccuracy, listNamedScores, type Reportable } from './reportable.ts';

const MAX_TEXT = 1000;

/**
 * A result as JUnit XML: a suite per score, a case per check. A failed check is a failure; a partial one passes with a
 * note; what does not apply, could not be looked at or is ignored is skipped and says so. Characters outside XML 1.0 are left out
 * (rule X7).
 */
export function reportJunit(report: Reportable): string {
  const suites = [
    ...listNamedScores(report.scores).map(([name, score]) => renderSuite(SCORE_TITLES[name], score.checks, report)),
    ...(report.checks === undefined ? [] : [renderSuite('Checks', report.checks, report)]),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${PRODUCT}">\n${suites.join('')}</testsuites>\n`;
}

const escapeAttribute = (value: string): string => escapeXml(formatPlainLine(value, MAX_TEXT));

function renderSuite(name: string, checks: readonly WireCheck[], { rubric, ignored = [] }: Reportable): string {
  const reasons = new Map(ignored.map(({ check, reason }) => [check, reason]));
  const skipped = checks.filter(
    ({ id, status }) => reasons.has(id) || status === 'not_applicable' || status === 'unknown',
  );
  const failed = checks.filter(({ id, status }) => status === 'fail' && !reasons.has(id));
  const head = `tests="${checks.length}" failures="${failed.length}" errors="0" skipped="${skipped.length}"`;
  // Failures that come or go between runs of two rubrics are the rubric's.
  const judgedBy =
    rubric === undefined
      ? ''
      : `    <properties><property name="rubric" value="${escapeAttribute(rubric.version)}"/></properties>\n`;
  return `  <testsuite name="${escapeAttribute(name)}" ${head}>\n${judgedBy}${checks.map((check) => renderTestCase(check, reasons.get(check.id))).join('')}  </testsuite>\n`;
}

function renderTestCase(check: WireCheck, ignoredFor: string | undefined): string {
  const open = `    <testcase classname="${escapeAttribute(check.id)}" name="${escapeAttribute(check.title)}"`;
  const inner =
    ignoredFor === undefined
      ? renderVerdict(check)
      : `<skipped message="${escapeAttribute(`ignored (${check.status}): ${ignoredFor}`)}"/>`;
  return inner === '' ? `${open}/>\n` : `${open}>${inner}</testcase>\n`;
}

function renderVerdict(check: WireCheck): string {
  const { status, note, why, reproduce, value } = check;
  const doubts = formatAccuracy(check);
  if (status === 'fail') {
    const lines = [why, reproduce, doubts].filter((line) => line !== '');
    const detail = lines.map((line) => escapeXml(formatPlainLine(line, MAX_TEXT))).join('\n');
    return `<failure message="${escapeAttribute(note)}" type="fail">${detail}</failure>`;
  }
  if (status === 'partial')
    return `<system-out>${escapeAttribute([`partial (${value}): ${note}`, doubts].join(' ').trimEnd())}</system-out>`;
  if (status === 'pass') return doubts === '' ? '' : `<system-out>${escapeAttribute(doubts)}</system-out>`;
  return `<skipped message="${escapeAttribute(`${status}: ${note}`)}"/>`;
}
