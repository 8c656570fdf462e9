import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;

/** `npm run soak`: the long forms of tests, one at a time. */
export default defineConfig({
  test: {
    name: 'soak',
    environment: 'node',
    include: ['test/soak/**/*.test.ts', 'test/regexes.test.ts', 'test/e2e/crash*.test.ts'],
    env: { REGEXES: 'anew', CRASHES: '20' },
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: HOUR_MS,
    hookTimeout: 120_000,
  },
});
