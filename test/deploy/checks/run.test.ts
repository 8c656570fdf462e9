import { describe, expect, test } from 'vitest';
import type { DeploymentCheck } from '../../../src/deploy/checks/check.ts';
import { buildReport, runSmokeTest } from '../../../src/deploy/checks/run.ts';
import { API, fakePorts, found, NOW } from './answers.ts';

const order = { addresses: { api: API } };
const result = (id: string, status: DeploymentCheck['status']): DeploymentCheck => ({
  id,
  title: id,
  status,
  detail: '',
});

describe('the sum of a report', () => {
  test.each([
    ['pass', [result('health.api', 'pass'), result('terms.price', 'warn'), result('clock.api', 'unknown')]],
    ['fail', [result('health.api', 'pass'), result('terms.price', 'fail')]],
    ['unknown', [result('health.api', 'pass'), result('health.webhook', 'unknown')]],
    ['fail', [result('health.api', 'unknown'), result('certificate.api', 'fail')]],
  ] as const)('is %s', (status, results) => {
    const report = buildReport(order, results, NOW);
    expect([report.status, report.checked_at]).toEqual([status, new Date(NOW).toISOString()]);
  });
});

test('where nothing answers nothing fails, every result is heard as it comes, and nothing is bought', async () => {
  const heard: DeploymentCheck[] = [];
  let bought = 0;
  const ports = fakePorts(
    {},
    {
      readCertificate: () => Promise.reject(new Error('gone')),
      onResult: (one) => void heard.push(one),
      buy: async () => {
        bought += 1;
        return { ok: true, detail: '' };
      },
    },
  );
  const report = await runSmokeTest(order, ports);
  expect([report.status, report.counts.fail, report.counts.pass, bought]).toEqual(['unknown', 0, 0, 0]);
  expect(found(report.results, 'purchase').status).toBe('unknown');
  expect(heard).toEqual(report.results);
});
