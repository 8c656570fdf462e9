import { describe, expect, test } from 'vitest';
import { JUDGES, type JudgeLanguage } from './judges-data.ts';
import { MISSES } from './misses-data.ts';
import { listCases } from './support/cases.ts';

const AREAS = ['directory', 'reseller', 'logging', 'trace', 'tags', 'admob'];
const languages = Object.keys(JUDGES) as JudgeLanguage[]; // Of a closed record.
const atLeast: Readonly<Record<JudgeLanguage, number>> = { python: 60, go: 60, ruby: 60, java: 20 };
/** What a client has no classes for. */
const without: Partial<Record<JudgeLanguage, readonly string[]>> = { ruby: ['tags'] };

describe.each(languages)('%s', (language) => {
  const cases = listCases(language);

  test('has enough cases, each of another name', () => {
    expect(cases.length).toBeGreaterThanOrEqual(atLeast[language]);
    expect(new Set(cases).size).toBe(cases.length);
  });

  test('judges every interface that its client knows', () => {
    const areas = new Set(cases.map((name) => name.split(':', 1)[0]));
    expect(AREAS.filter((area) => !areas.has(area))).toEqual(without[language] ?? []);
  });

  test('has a case for each known miss', () => {
    const missed = MISSES.filter((one) => one.language === language).map(({ name }) => name);
    expect(missed.filter((name) => !cases.includes(name))).toEqual([]);
  });
});

test('Quotas are judged by Python, whose client is built from the discovery document', () => {
  expect(listCases('python').filter((name) => name.startsWith('quota:')).length).toBeGreaterThan(5);
});
