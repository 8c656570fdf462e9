import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFilterMatcher,
  parseNanoTimestamp,
  parseFilter,
  type Pushdown,
  computePushdown,
  getSeverityRank,
} from '../../../../src/management/core/filter/index.ts';
import { isText, type JsonObject } from '../../../../src/lib/json.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const LOGS = ['projects/p/logs/a', 'projects/p/logs/b%2Fc', 'folders/1/logs/a'];
const SEVERITIES = ['DEFAULT', 'INFO', 'ERROR', 'ALERT'];
const INSTANTS = [
  '2026-01-01T00:00:00.000000000Z',
  '2026-01-01T00:00:00.000000001Z',
  '2026-01-02T00:00:00.000000000Z',
  '9999-12-31T23:59:59.999999999Z',
];

const parsed = (text: string) => {
  const result = parseFilter(text);
  if (!result.ok) throw new Error(result.message);
  return result.filter;
};

describe('what a store need look at', () => {
  test.each<[string, Pushdown]>([
    ['', { isExact: true }],
    ['logName="projects/p/logs/a"', { logNames: ['projects/p/logs/a'], isExact: true }],
    [
      'logName="projects/p/logs/a" AND severity>=ERROR AND timestamp>="2026-01-01"',
      {
        logNames: ['projects/p/logs/a'],
        severities: [500, 600, 700, 800],
        from: '2026-01-01T00:00:00.000000000Z',
        isExact: true,
      },
    ],
    ['logName=("x" OR "y")', { logNames: ['x', 'y'], isExact: true }],
    ['logName="x" OR logName="y" OR logName="y"', { logNames: ['x', 'y'], isExact: true }],
    ['NOT severity<ERROR', { severities: [500, 600, 700, 800], isExact: true }],
    ['severity != DEFAULT', { severities: [100, 200, 300, 400, 500, 600, 700, 800], isExact: true }],
    ['severity=(INFO OR ALERT)', { severities: [200, 700], isExact: true }],
    ['severity >= DEFAULT', { isExact: true }],
    ['NOT (severity<ERROR OR severity>ALERT)', { severities: [500, 600, 700], isExact: true }],
    [
      'timestamp>"2026-01-01" timestamp<="2026-01-01T01:00:00Z"',
      { from: '2026-01-01T00:00:00.000000001Z', until: '2026-01-01T01:00:00.000000001Z', isExact: true },
    ],
    [
      'timestamp="2026-01-01"',
      { from: '2026-01-01T00:00:00.000000000Z', until: '2026-01-01T00:00:00.000000001Z', isExact: true },
    ],
    [
      'timestamp<"2026-01-02" timestamp>="2026-01-01" OR timestamp>="2026-01-03"',
      { from: '2026-01-01T00:00:00.000000000Z', until: '2026-01-02T00:00:00.000000000Z', isExact: true },
    ],
    // A gap between two spans is left to the matcher.
    [
      '(timestamp>="2026-01-01" timestamp<"2026-01-02") OR timestamp>="2026-01-03"',
      { from: '2026-01-01T00:00:00.000000000Z', isExact: false },
    ],
    // Two regions that differ in two ways are not a region.
    [
      '(logName=x severity=INFO) OR (logName=y severity=ERROR)',
      { logNames: ['x', 'y'], severities: [200, 500], isExact: false },
    ],
    ['(logName=x severity=INFO) OR logName=x', { logNames: ['x'], isExact: true }],
    ['logName=x textPayload:y', { logNames: ['x'], isExact: false }],
    ['logName=x OR textPayload:y', { isExact: false }],
    ['logName!=x', { isExact: false }],
    ['NOT logName!=x', { logNames: ['x'], isExact: true }],
    ['logName:x', { isExact: false }],
    ['log_id("b/c")', { logIds: ['b%2Fc'], isExact: false }],
    ['log_id("b/c") logName=("p/logs/b%2Fc" OR "p/logs/c")', { logNames: ['p/logs/b%2Fc'], isExact: true }],
    ['NOT log_id("b")', { isExact: false }],
    ['trace="t" insertId=(a OR b)', { traces: ['t'], insertIds: ['a', 'b'], isExact: false }],
    ['severity>EMERGENCY', { isNothing: true, isExact: true }],
    ['logName=x logName=y', { isNothing: true, isExact: true }],
    ['timestamp>="2026-01-02" timestamp<"2026-01-02"', { isNothing: true, isExact: true }],
    // An entry without a trace has '' there.
    ['trace=""', { isExact: false }],
    ['trace=("" OR "t")', { isExact: false }],
    ['NOT trace!=""', { isExact: false }],
    ['insertId=""', { isExact: false }],
    ['bare', { isExact: false }],
  ])('%s', (filter, expected) => {
    expect(computePushdown(parsed(filter))).toEqual(expected);
  });

  test('is everything, and never exact, for filters of other objects', () => {
    const filter = parseFilter('severity=ERROR', { profile: 'aip' });
    expect(filter.ok && computePushdown(filter.filter)).toEqual({ isExact: false });
  });
});

const comparison = fc.oneof(
  fc
    .tuple(fc.constantFrom('=', '!=', ':', '=~'), fc.constantFrom(...LOGS))
    .map(([operator, name]) => `logName${operator}"${name}"`),
  fc
    .tuple(fc.constantFrom('=', '!=', '<', '<=', '>', '>=', ':'), fc.constantFrom(...SEVERITIES, '300', 'LOUD'))
    .map(([operator, name]) => `severity${operator}${name}`),
  fc
    .tuple(fc.constantFrom('=', '!=', '<', '<=', '>', '>=', ':'), fc.constantFrom(...INSTANTS, '2026-01-02'))
    .map(([operator, instant]) => `timestamp${operator}"${instant}"`),
  fc.constantFrom(
    'trace=""',
    'insertId=""',
    'spanId=""',
    'trace=("" OR "t")',
    'NOT trace!=""',
    'log_id("a")',
    'log_id("b/c")',
    'source(folders/1)',
    'trace=t',
    'insertId=i',
    'insertId!=i',
  ),
  fc.constantFrom('textPayload:x', 'x', 'severity:*', 'timestamp:*', 'logName=("projects/p/logs/a" OR "none")'),
);
const filters = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    comparison,
    fc.array(tie('filter'), { minLength: 2, maxLength: 3 }).map((terms) => `(${terms.join(' AND ')})`),
    fc.array(tie('filter'), { minLength: 2, maxLength: 3 }).map((terms) => `(${terms.join(' OR ')})`),
    tie('filter').map((term) => `NOT (${term})`),
  ),
})).filter;
const entries = fc.record<JsonObject>(
  {
    logName: fc.constantFrom(...LOGS),
    timestamp: fc.constantFrom(...INSTANTS),
    severity: fc.constantFrom(...SEVERITIES),
    trace: fc.constantFrom('', 't', 'u'),
    insertId: fc.constantFrom('', 'i', 'j'),
    spanId: fc.constantFrom('', 't'),
    textPayload: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: ['logName', 'timestamp'] },
);

function isInside(pushdown: Pushdown, entry: JsonObject): boolean {
  if (pushdown.isNothing) return false;
  const textOf = (name: string): string => (isText(entry[name]) ? entry[name] : '');
  const name = textOf('logName');
  const instant = parseNanoTimestamp(textOf('timestamp')) ?? '';
  return (
    (pushdown.logNames?.includes(name) ?? true) &&
    (pushdown.logIds?.some((id) => name.endsWith(`/logs/${id}`)) ?? true) &&
    (pushdown.severities?.includes(getSeverityRank(textOf('severity'))) ?? true) &&
    // A store finds by these what has them.
    (pushdown.traces === undefined || (entry['trace'] !== undefined && pushdown.traces.includes(textOf('trace')))) &&
    (pushdown.insertIds === undefined ||
      (entry['insertId'] !== undefined && pushdown.insertIds.includes(textOf('insertId')))) &&
    (pushdown.from === undefined || instant >= pushdown.from) &&
    (pushdown.until === undefined || instant < pushdown.until)
  );
}

test('what a filter matches lies inside, and all that lies inside an exact one matches', () => {
  let exact = 0;
  fc.assert(
    fc.property(filters, fc.array(entries, { minLength: 1, maxLength: 12 }), (text, subjects) => {
      const filter = parsed(text);
      const isMatch = createFilterMatcher(filter);
      const pushdown = computePushdown(filter);
      for (const subject of subjects) {
        if (isMatch(subject)) expect(isInside(pushdown, subject)).toBe(true);
        if (pushdown.isExact) expect(isMatch(subject)).toBe(isInside(pushdown, subject));
      }
      exact += pushdown.isExact ? 1 : 0;
    }),
    { numRuns: budgetFor(1_000, 5_000), seed: 88 },
  );
  expect(exact).toBeGreaterThan(budgetFor(200, 1_000));
});
