import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;

/** `npm run soak`: the long forms of tests, one at a time. */
export default defineConfig({
  test: {
    name: 'soak',
    environment: 'node',
    include: [
      'test/soak/**/*.test.ts',
      'test/regexes.test.ts',
      'test/e2e/crash*.test.ts',
      'test/e2e/production-entry.test.ts',
      'test/e2e/start.test.ts',
      'test/e2e/pages.test.ts',
      'test/audit/core/report-failures.test.ts',
      'test/hostile/**/*.test.ts',
      'test/sales/ledger-model.test.ts',
    ],
    env: { REGEXES: 'anew', CRASHES: '20', HOSTILE: 'full', LEDGER_RUNS: '2000' },
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: HOUR_MS,
    hookTimeout: 120_000,
  },
});
