import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { isCalendarDay } from '../../../src/lib/time.ts';
import { type DatedRow, listDatedRows, listStaleRows } from '../../../src/audit/radar/radar.ts';
import { citedDocuments, recordedLooks } from '../../../src/audit/radar/sources-data.ts';

const rows = listDatedRows();

describe('every check, agent, provider and cited document', () => {
  test.each(rows.map((row) => [`${row.kind} ${row.name}`, row] as const))('%s has a source and a day', (_name, row) => {
    expect(row.source.trim().length).toBeGreaterThan(7);
    expect(isCalendarDay(row.read)).toBe(true);
    expect(row.read >= '2026-01-01').toBe(true);
  });

  test('is there once', () => {
    const names = rows.map(({ kind, name }) => `${kind} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(rows.filter(({ kind }) => kind === 'check')).toHaveLength(checks.length);
  });
});

describe('a recorded look', () => {
  test('is of something that exists, on a day, and says what was found', () => {
    const names = new Set(rows.map(({ name }) => name));
    for (const { subject, on, found } of recordedLooks) {
      expect(names).toContain(subject);
      expect(isCalendarDay(on)).toBe(true);
      expect(found).toMatch(/\.$/);
    }
  });

  test('moves the date of its row, and never back', () => {
    const price = rows.find(({ name }) => name === 'agent.pay.price-page');
    expect(price?.read).toBe(recordedLooks.find(({ subject }) => subject === 'agent.pay.price-page')?.on);
  });
});

describe('documents that are cited by their version', () => {
  const texts = checks.flatMap(({ id, why, source, fix }) => [why, source, fix].map((text) => ({ id, text })));
  test.each(citedDocuments.filter(({ version }) => version !== '').map((one) => [one.name, one] as const))(
    '%s: no check cites another version',
    (name, { version }) => {
      const cited = texts.flatMap(({ id, text }) =>
        [...text.matchAll(new RegExp(`${name}-(\\d{2})\\b`, 'g'))].map((match) => ({ id, version: match[1] })),
      );
      expect(cited.filter((one) => one.version !== version)).toEqual([]);
    },
  );

  test('a draft that a check cites with a version is one of them', () => {
    const known = citedDocuments.map(({ name }) => name);
    const cited = texts.flatMap(({ text }) =>
      [...text.matchAll(/\b(draft-[a-z-]{3,80})-\d{2}\b/g)].map((match) => match[1]),
    );
    expect(cited.filter((name) => name !== undefined && !known.includes(name))).toEqual([]);
  });
});

describe('listStaleRows', () => {
  const row = (read: string): DatedRow => ({ kind: 'check', name: read, source: 'x', read });
  const now = Date.parse('2026-12-31');
  test('names what is older than ninety days, the oldest first', () => {
    const stale = listStaleRows([row('2026-12-01'), row('2026-10-01'), row('2026-10-02'), row('2025-01-01')], now);
    expect(stale.map(({ name, days }) => [name, days])).toEqual([
      ['2025-01-01', 729],
      ['2026-10-01', 91],
    ]);
  });
});

describe('isCalendarDay', () => {
  test.each([
    ['2026-02-28', true],
    ['2026-02-30', false],
    ['2026-2-3', false],
    ['yesterday', false],
    ['', false],
  ])('%s: %s', (text, expected) => {
    expect(isCalendarDay(text)).toBe(expected);
  });
});
