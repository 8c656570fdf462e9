import { expect, test } from 'vitest';
import {
  explainUnread,
  findDoubtfulChecks,
  isSameRubric,
  readReportFacts,
  readSiteFacts,
} from '../../../src/monitors/facts/site-facts.ts';
import { buildWatchedSite } from '../../support/monitors/watched-site.ts';
import { auditWeek } from '../../support/monitors/watched-year.ts';

const start = { role: 'page', url: 'https://acme.example/', status: 200 };
const check = (id: string, more: object = {}) => ({
  id,
  title: `Title of ${id}`,
  status: 'pass',
  value: 1,
  weight: 2,
  note: '',
  evidence: [{ url: 'https://acme.example/robots.txt', status: 200, line: 3 }],
  ...more,
});
const reportOf = (checks: readonly object[], requests: readonly object[] = [start]): string =>
  JSON.stringify({ url: start.url, scores: { aeo: { score: 80, checks }, geo: { score: 70, checks } }, requests });

test('a report of the engine is read with its scores, and each check once with the scores that it counts in', async () => {
  const facts = await auditWeek(buildWatchedSite(0), 0);
  expect(Object.keys(facts?.scores ?? {})).toEqual(['aeo', 'geo', 'agent', 'mcp']);
  expect(facts?.rubric).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  const ids = facts?.checks.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted());
  expect(facts?.checks.find(({ id }) => id === 'aeo.reach.http-200')?.scores.length).toBeGreaterThan(1);
  expect(facts?.checks.find(({ id }) => id === 'aeo.meta.title')?.isOfPages).toBe(true);
});

test('a report of before, without rubric, requests and evidence, is read', () => {
  const old = {
    scores: { aeo: { score: 61, checks: [{ id: 'aeo.meta.title', status: 'fail', value: 0, weight: 2 }] } },
  };
  const facts = readSiteFacts(JSON.stringify(old));
  expect(facts).toMatchObject({ url: null, rubric: null, scores: { aeo: { score: 61, coverage: 1, gates: [] } } });
  expect(facts?.checks).toMatchObject([{ id: 'aeo.meta.title', evidence: [], note: '', scores: ['aeo'] }]);
  expect(facts && explainUnread(facts)).toBeUndefined();
});

test('a score that does not apply is none', () => {
  const facts = readReportFacts({ scores: { mcp: { score: 0, applies: false, reason: 'No server.' } } });
  expect(facts?.scores).toEqual({ mcp: null });
});

test.each(['', '[]', '{}', '{"scores":{}}', '{"scores":{"aeo":1}}', 'null', '{"scores":{"aeo":{"score":"1"}}}'])(
  '%j is no report',
  (text) => {
    expect(readSiteFacts(text)).toBeUndefined();
  },
);

test.each([
  [{ ...start, status: 503 }, 'status 503'],
  [{ ...start, status: 429 }, 'status 429'],
  [{ ...start, status: null, failure: 'timeout' }, 'no answer (timeout)'],
  [{ ...start, status: 404 }, undefined],
  [{ ...start, status: 403 }, undefined],
])('a start page that answers %j counts as %s', (request, expected) => {
  const facts = readSiteFacts(reportOf([], [request]));
  expect(facts && explainUnread(facts)).toBe(expected);
});

test('verdicts are doubtful where an address failed that they rest on, or may rest on', () => {
  const [robots, pages, bare] = [check('a'), check('b', { pages: { judged: 9 } }), check('c', { evidence: [] })];
  const doubtful = (...requests: readonly object[]): readonly string[] => {
    const facts = readSiteFacts(reportOf([robots, pages, bare], [start, ...requests]));
    return facts === undefined ? [] : [...findDoubtfulChecks(facts)];
  };
  expect(doubtful()).toEqual([]);
  expect(doubtful({ role: 'sample:1', url: 'https://acme.example/racks', status: 502 })).toEqual(['b', 'c']);
  expect(doubtful({ role: 'robots', url: 'https://acme.example/robots.txt', status: 503 })).toEqual(['a', 'b', 'c']);
  // What others serve, and what we did not ask for, says nothing of the site.
  expect(doubtful({ role: 'citation:0', url: 'https://other.example/', status: null, failure: 'timeout' })).toEqual([]);
  expect(doubtful({ role: 'x', url: 'https://acme.example/x', status: null, failure: 'budget_exhausted' })).toEqual([]);
});

test('a rubric is its version and its hash', () => {
  const one = { version: '3.0.0', sha256: 'a' };
  expect(isSameRubric(one, { ...one })).toBe(true);
  expect(isSameRubric(one, { ...one, sha256: 'b' })).toBe(false);
});
