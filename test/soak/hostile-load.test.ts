import { beforeAll, describe, expect, test } from 'vitest';
import { soak, type SoakReport } from '../../bench/hostile/soak.ts';

/** Of hostile load, after a start without it. Two are enough to try the test; what is judged needs ten. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
const MAX_AFTER_SHARE = 1.5;
const MAX_GROWTH = 1.05;
const HOUR_MS = 3_600_000;

describe(`400 unpaid, 50 paid and 8 preview clients with hostile previews beside them, ${MINUTES} minutes`, () => {
  let report: SoakReport;
  beforeAll(async () => {
    report = await soak(MINUTES);
    console.info('soak', JSON.stringify(report));
  }, HOUR_MS);

  test('everything is answered as it should be', () => {
    const errors = Object.entries(report.load.lanes).map(([lane, { errorCount, errors: some }]) => [
      lane,
      errorCount,
      some,
    ]);
    expect(errors).toEqual(Object.keys(report.load.lanes).map((lane) => [lane, 0, []]));
    expect(report.load.isOutOfPayments).toBe(false);
  });

  test('what was charged on the chain was delivered, and nothing else', () => {
    expect(report.delivered).toBeGreaterThan(0);
    expect(report.charged).toBe(report.delivered);
  });

  test('hostile previews were made, not turned away alone', () => {
    const { requests, refused } = report.load.lanes.hostile;
    expect(requests - refused).toBeGreaterThan(0);
  });

  test('the memory of workerd does not grow in the second half', () => {
    expect(report.endMiB / report.halfMiB).toBeLessThanOrEqual(MAX_GROWTH);
  });

  test('the memory of workerd comes back after the load', () => {
    expect(report.afterMiB / report.startMiB).toBeLessThanOrEqual(MAX_AFTER_SHARE);
  });
});
