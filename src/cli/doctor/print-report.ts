import type { CheckReport, CheckResult, CheckStatus } from '../../deploy/checks/check.ts';
import { formatSafeLine } from '../core/terminal.ts';

const marks: Readonly<Record<CheckStatus, string>> = { pass: '✓', warn: '~', fail: '✗', unknown: '?' };

/** The report for a person: one line each, what to do below those that need something, and the sum. */
export function formatCheckReport({ addresses, results, counts, status }: CheckReport): string {
  const places = Object.entries(addresses).flatMap(([worker, origin]) =>
    origin === undefined ? [] : [`${worker}: ${formatSafeLine(origin)}`],
  );
  const groups = Map.groupBy(results, ({ id }) => id.split('.')[0] ?? id);
  const lines = [...groups].flatMap(([, rows]) => [...rows.flatMap(formatResult), '']);
  return [...places, '', ...lines, formatSum(counts), ends[status], ''].join('\n');
}

function formatResult({ title, status, detail, next }: CheckResult): readonly string[] {
  const line = `${marks[status]} ${formatSafeLine(title)}: ${formatSafeLine(detail)}`;
  return next === undefined ? [line] : [line, `    ${formatSafeLine(next)}`];
}

function formatSum({ pass, warn, fail, unknown }: CheckReport['counts']): string {
  const words = [
    `${pass} passed`,
    `${warn} ${warn === 1 ? 'warning' : 'warnings'}`,
    `${fail} failed`,
    `${unknown} could not be checked`,
  ];
  return words.join(', ');
}

const ends: Readonly<Record<CheckReport['status'], string>> = {
  pass: 'The deployment is in order, as far as it was checked.',
  fail: 'The deployment is not in order.',
  unknown: 'A Worker could not be reached: that says nothing about it.',
};
