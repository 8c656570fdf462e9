import { describe, expect, test } from 'vitest';
import { capabilityNames } from '../../src/capabilities/capability-name.ts';
import { resultStandard } from '../../src/results/standard.ts';
import { resultSummary } from '../../src/results/summary-shape.ts';
import { addReportUrl, parseReading, renderView } from '../../src/results/view.ts';
import { countUtf8Bytes } from '../../src/lib/utf8.ts';
import { PLACE, REPORT_ID, storedResult } from './stored-results.ts';

const REPORT_URL = `https://api.sightline.test/reports/${REPORT_ID}`;

describe('the views of every capability', () => {
  test.each(capabilityNames)(
    '%s: the summary has at most 8 KB and the standard view 60 KB, both typed',
    async (name) => {
      const stored = await storedResult(name);
      const summary = renderView(stored, { view: 'summary' }, PLACE);
      const standard = renderView(stored, { view: 'standard' }, PLACE);
      expect(countUtf8Bytes(summary)).toBeLessThanOrEqual(8 * 1024);
      expect(countUtf8Bytes(standard)).toBeLessThanOrEqual(60 * 1024);
      const read = resultSummary.strict().parse(JSON.parse(summary));
      expect(resultStandard.strict().parse(JSON.parse(standard))).toMatchObject({ ...read, view: 'standard' });
      expect(read).toMatchObject({ capability: name, report_id: REPORT_ID, report_url: REPORT_URL });
      expect(read.headline).not.toBe('');
    },
  );

  test.each(capabilityNames)('%s: the full view has the bytes that were stored', async (name) => {
    const stored = await storedResult(name);
    expect(renderView(stored, { view: 'full' }, PLACE)).toBe(stored);
    expect(addReportUrl(stored, PLACE)).toBe(`${stored.slice(0, -1)},"report_url":"${REPORT_URL}"}`);
  });

  test('a result of a shape that no version wrote is given in full, whatever is asked for', () => {
    const json = '{"capability":"credits_5","a":1}';
    expect(renderView(json, { view: 'summary' }, PLACE)).toBe(json);
  });
});

describe('how a result is asked for', () => {
  const read = (request: Parameters<typeof parseReading>[0]) => {
    const outcome = parseReading(request, 'full');
    return outcome.ok ? { view: outcome.reading.view, applied: outcome.reading.applied } : outcome.reason;
  };

  test.each([
    [{}, { view: 'full', applied: undefined }],
    [{ view: 'standard' }, { view: 'standard', applied: undefined }],
    [{ prefer: 'return=minimal' }, { view: 'summary', applied: 'return=minimal' }],
    [{ prefer: 'wait=10, Return="minimal"; x=1' }, { view: 'summary', applied: 'return=minimal' }],
    [{ prefer: 'return=representation' }, { view: 'full', applied: 'return=representation' }],
    [
      { view: 'standard', prefer: 'return=minimal' },
      { view: 'standard', applied: undefined },
    ],
    [{ prefer: 'respond-async' }, { view: 'full', applied: undefined }],
    [{ view: 'huge' }, 'invalid_view'],
    [{ view: '' }, 'invalid_view'],
    [{ fields: 'scores(' }, 'invalid_fields'],
    [{ fields: Array.from({ length: 101 }, (_, at) => `f${at}`).join(',') }, 'invalid_fields'],
    [{ fields: 'a'.repeat(20_001) }, 'invalid_fields'],
    [{ fields: 'a/b/c/d/e/f/g/h/i/j/k' }, 'invalid_fields'],
  ])('%j is %j', (request, expected) => {
    expect(read(request)).toEqual(expected);
  });

  test('fields choose members of any view, inside lists as well', async () => {
    const stored = await storedResult('full_audit');
    const ask = (view: string, fields: string): unknown => {
      const outcome = parseReading({ view, fields }, 'full');
      if (!outcome.ok) throw new Error(outcome.detail);
      return JSON.parse(renderView(stored, outcome.reading, PLACE));
    };
    expect(ask('summary', 'report_id,do_first/id')).toEqual({
      report_id: REPORT_ID,
      do_first: expect.arrayContaining([{ id: expect.any(String) as string }]) as unknown,
    });
    expect(ask('full', 'scores/aeo/score')).toEqual({ scores: { aeo: { score: expect.any(Number) as number } } });
    expect(ask('full', Array.from({ length: 100 }, (_, at) => `f${at}`).join(','))).toEqual({});
  });
});
