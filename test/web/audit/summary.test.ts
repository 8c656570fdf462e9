import { beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { scoreNames } from '../../../src/audit/core/check.ts';
import { MAX_FIRST_STEPS, type Preview, runSitePreview } from '../../../src/audit/core/preview.ts';
import { auditSite } from '../../../src/audit/core/report.ts';
import { auditResult, checksResult } from '../../../src/capabilities/results.ts';
import { LANGUAGES, type PageLanguage } from '../../../src/web/language/language.ts';
import { summariseReport } from '../../../src/web/audit/summary-data.ts';
import { addPlainFixes, plainFixTables } from '../../../src/web/language/plain-fixes.ts';
import {
  AuditSummary,
  type AuditSummaryData,
  describeScoreMeaning,
  summarisePreview,
} from '../../../src/web/audit/summary.tsx';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import { html, SITE, siteFetch } from '../../support/audit/site-fetch.ts';

const fetch = siteFetch({
  '/': html('<!doctype html><html lang="en"><head><title>Desk</title></head><body><h1>Desk</h1></body></html>'),
});

const show = (data: AuditSummaryData, language: PageLanguage = 'en', level: 2 | 3 = 2): string =>
  String(AuditSummary({ ...data, language, level }));

/** As a page shows it, with how each step is done. */
const explain = (given: Preview): Preview =>
  addPlainFixes({ preview: given, reused: false, made_at: '' }, 'en').preview;

let preview: Preview;
let bought: AuditSummaryData;

beforeAll(async () => {
  const outcome = await runSitePreview(`${SITE}/`, {
    fetch,
    clockMs: CLOCK_MS,
    onStep: () => undefined,
    pause: async () => undefined,
    signal: new AbortController().signal,
  });
  if (!outcome.ok) throw new Error(outcome.reason);
  preview = explain(outcome.preview);
  const report = await auditSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS });
  bought = summariseReport(auditResult(scoreNames).parse(JSON.parse(JSON.stringify(report))));
});

test('a preview and the report of the same site have the same summary', () => {
  expect(summarisePreview(preview).steps).toEqual(bought.steps);
  expect(summarisePreview(preview).counts).toEqual(bought.counts);
  expect(show(summarisePreview(preview))).toBe(show({ ...bought, scores: withoutInterval(bought.scores) }));
});

/** How sure a score is needs the values of all checks, which a preview does not have. */
const withoutInterval = (scores: AuditSummaryData['scores']): AuditSummaryData['scores'] =>
  Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, { ...score, interval: undefined }]));

test('what to do first says what, how, where, the effort and the gain', () => {
  expect(bought.steps).toHaveLength(MAX_FIRST_STEPS);
  for (const { title, how, where, effort, gains } of bought.steps) {
    expect(how?.length).toBeGreaterThan(20);
    expect(title).toMatch(/^[A-Z]/);
    expect(where ?? SITE).toContain(SITE);
    expect(['minutes', 'hours', 'days']).toContain(effort);
    expect(Object.keys(gains).length).toBeGreaterThan(0);
  }
  const [first] = bought.steps;
  expect(show(bought)).toContain('class="step-how"');
  expect(show(bought)).toContain(`<strong>${first?.title.replaceAll('&', '&amp;')}</strong>`);
});

test('plain fixes are those of our checks, the same in each language', () => {
  const ids = new Set(checks.map(({ id }) => id));
  expect(Object.keys(plainFixTables.en).filter((id) => !ids.has(id))).toEqual([]);
  expect(Object.keys(plainFixTables.de)).toEqual(Object.keys(plainFixTables.en));
});

test('a score of 95 and more is not said to be held back', () => {
  const said = describeScoreMeaning('aeo', { score: 99, grade: 'A', coverage: 1, counts: { fail: 2 } }, 'en');
  expect(said).toBe(
    'AI search engines can find and read this site; nothing important is missing. 2 small things are left.',
  );
  expect(describeScoreMeaning('aeo', { score: 94, grade: 'A', coverage: 1, counts: { fail: 2 } }, 'en')).toContain(
    'most of',
  );
});

test('a score that does not apply has no gauge, and a reason', () => {
  expect(show(bought).match(/<figure/g)).toHaveLength(3);
  expect(show(bought)).toContain(`MCP readiness does not apply. ${preview.scores.mcp.reason}`);
});

describe.each(LANGUAGES)('in %s', (language) => {
  test('every score and every outcome has its words', () => {
    const score = { score: 50, grade: 'D', coverage: 0.3, counts: { fail: 1 } } as const;
    const all = { aeo: score, geo: { ...score, grade: 'A' }, agent: { ...score, grade: 'F' }, mcp: score } as const;
    const page = show({ ...bought, scores: all }, language);
    expect(page.match(/<figure/g)).toHaveLength(4);
    expect(page).not.toMatch(/undefined|\[object|NaN/);
  });

  test('a site without a problem is said to have none', () => {
    const counts = { pass: 5, partial: 0, fail: 0, not_applicable: 0, unknown: 0 };
    const page = show({ scores: {}, steps: [], counts }, language);
    expect(page).toContain({ en: '5 checks: 5 pass.', de: '5 Prüfungen: 5 bestanden.' }[language]);
    expect(page).not.toMatch(/<ol|<ul/);
  });
});

test('checks of a capability without scores have a summary as well', async () => {
  const report = await auditSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, capability: 'check_health' });
  const data = summariseReport(checksResult.parse(JSON.parse(JSON.stringify(report))));
  expect(data.counts.fail).toBeGreaterThan(0);
  expect(data.steps.length).toBeGreaterThan(0);
  expect(show(data)).not.toContain('<figure');
});
