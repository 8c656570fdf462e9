import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listChecks, type Reportable } from '../../src/report/reportable.ts';
import { reportSarif } from '../../src/report/sarif.ts';
import { goodSite } from '../sites/good.ts';
import { hostileReport, reportOf, seenInMarkdown } from './support.ts';
import { gitHubRules, type SarifLog, sarifLog } from './sarif-rules.ts';

const schema: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../data/sarif/sarif-schema-2.1.0.json'), 'utf8'),
);
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
const isSarif = ajv.compile(schema as object);

const logOf = (report: Reportable): SarifLog => sarifLog.parse(JSON.parse(reportSarif(report, '1.2.3')));

const hostile = await hostileReport();
const good = await reportOf(goodSite);
/** Addresses that have been taken for something else: ports, literal addresses, encoded slashes and dots, no address. */
const addresses = [
  'http://localhost:4173/a/',
  'http://[::1]:8080/%2e%2e%2f%2e%2e%2fetc/passwd',
  'https://acme.example/a%5c..%5cb?q=1#c',
  'https://acme.example/%zz/{}/é',
  'https://acme.example:8443',
  'javascript:alert(1)',
  '',
];
const [someCheck] = listChecks(hostile).filter(({ status }) => status === 'fail');
if (someCheck === undefined) throw new Error('nothing failed');
const moved = (url: string): Reportable => ({
  url,
  checks: [{ ...someCheck, evidence: [{ url }] }],
});
const reports: readonly (readonly [string, Reportable])[] = [
  ['a hostile site', hostile],
  ['a good site', good],
  ['no checks', { url: 'https://acme.example/', checks: [] }],
  ...addresses.map((url) => [`the address ${JSON.stringify(url)}`, moved(url)] as const),
];

describe.each(reports)('SARIF of %s', (_name, report) => {
  test('is valid by the schema of SARIF 2.1.0', () => {
    isSarif(JSON.parse(reportSarif(report, '1.2.3')));
    expect(isSarif.errors ?? []).toEqual([]);
  });

  test('keeps every rule of GitHub', () => {
    const log = logOf(report);
    expect(gitHubRules.flatMap(({ rule, violations }) => violations(log).map((one) => `${rule}: ${one}`))).toEqual([]);
  });
});

test('the schema refuses what is no SARIF', () => {
  const log = { ...logOf(hostile), extra: true };
  expect(isSarif(log)).toBe(false);
});

test.each(gitHubRules)('GitHub: $rule: is seen when it is broken ($source)', ({ violations, spoil }) => {
  const log = logOf(hostile);
  expect(violations(log)).toEqual([]);
  spoil(log);
  expect(violations(log).length).toBeGreaterThan(0);
});

const suppressed = z.object({
  runs: z.array(
    z.object({
      results: z.array(z.object({ ruleId: z.string(), suppressions: z.array(z.unknown()).optional() })),
    }),
  ),
});

describe('SARIF', () => {
  const log = logOf(hostile);
  const [run] = log.runs;
  const byStatus = (...wanted: readonly string[]): string[] =>
    listChecks(hostile)
      .filter(({ status }) => wanted.includes(status))
      .map(({ id }) => id);

  test('has a rule and a result for each check that failed or passed in part, and for no other', () => {
    const open = byStatus('fail', 'partial');
    expect(open.length).toBeGreaterThan(10);
    expect(run?.results.map(({ ruleId }) => ruleId)).toEqual(open);
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(open);
  });

  test('says of a check that could not be judged so, and makes no alert of it', () => {
    const unknown = [{ ...someCheck, status: 'unknown' as const, note: 'no answer came' }];
    const [only] = logOf({ url: 'https://acme.example/', checks: unknown }).runs;
    expect(only?.results).toEqual([]);
    const [notification] = only?.invocations[0]?.toolExecutionNotifications ?? [];
    expect(notification).toMatchObject({ descriptor: { id: someCheck.id } });
    expect(notification?.message.text).toContain('no answer came');
  });

  test('begins each message with what to do', () => {
    const titles = new Map(listChecks(good).map(({ id, title }) => [id, title]));
    for (const { ruleId, message } of logOf(good).runs[0]?.results ?? [])
      expect(message.text.startsWith(`${titles.get(ruleId)}. `)).toBe(true);
  });

  test('has the same fingerprint when only lines and notes moved', () => {
    const [check] = listChecks(good).filter(({ status }) => status === 'fail');
    if (check === undefined) throw new Error('nothing failed');
    const at = (line: number): Reportable => ({
      url: good.url,
      checks: [{ ...check, note: `line ${line}`, evidence: [{ url: good.url, line }] }],
    });
    const prints = [1, 99].map((line) => logOf(at(line)).runs[0]?.results[0]?.partialFingerprints);
    expect(prints[0]).toEqual(prints[1]);
    expect(prints[0]).not.toEqual(
      logOf({ ...at(1), url: 'https://other.example/' }).runs[0]?.results[0]?.partialFingerprints,
    );
  });

  test('says of an ignored check why it is ignored, and of no other', () => {
    const ignored = [{ check: someCheck.id, reason: 'planned for [the](https://x.example) next release' }];
    const report = { ...hostile, ignored };
    isSarif(JSON.parse(reportSarif(report, '1.2.3')));
    expect(isSarif.errors ?? []).toEqual([]);
    const results = suppressed.parse(JSON.parse(reportSarif(report, '1.2.3'))).runs[0]?.results ?? [];
    const found = results.filter(({ suppressions }) => suppressions !== undefined);
    expect(found.map(({ ruleId }) => ruleId)).toEqual([someCheck.id]);
    expect(found[0]?.suppressions).toEqual([
      { kind: 'external', status: 'accepted', justification: 'planned for [the] (https://x.example) next release' },
    ]);
  });

  test('names the rubric, by which runs compare or do not', () => {
    expect(run?.properties?.rubric).toEqual(hostile.rubric);
    expect(JSON.parse(reportSarif({ url: hostile.url, checks: [] }, '1.2.3')).runs[0]).not.toHaveProperty('properties');
  });

  test('X7: links nowhere, and its help is structure and text', () => {
    for (const rule of run?.tool.driver.rules ?? []) {
      expect(rule.helpUri).toBeUndefined();
      const { tags, attributes } = seenInMarkdown(rule.help.markdown);
      expect([...tags].filter((tag) => !['p', 'strong', 'code'].includes(tag))).toEqual([]);
      expect([...attributes]).toEqual([]);
    }
  });

  test('a failed check without weight is a note', () => {
    const weights = new Map(listChecks(hostile).map(({ id, weight }) => [id, weight]));
    const light = (run?.results ?? []).filter(({ ruleId }) => weights.get(ruleId) === 0);
    expect(light.length).toBeGreaterThan(0);
    for (const { level } of light) expect(level).toBe('note');
  });
});
