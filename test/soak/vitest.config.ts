import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;
/** Tests that take a part of their rows or runs in `npm test`. */
const partial = globSync('test/**/*.test.ts', { exclude: ['test/conformance/node_modules/**'] }).filter((file) =>
  /runner\/budget\.ts|stack\/browser\.ts|hostile\/|CRASHES|LEDGER_RUNS|isFull/.test(readFileSync(file, 'utf8')),
);

/** `npm run soak`: the long forms of tests, one at a time. */
export default defineConfig({
  test: {
    name: 'soak',
    environment: 'node',
    include: ['test/soak/**/*.test.ts', 'test/regexes.test.ts', ...partial],
    env: { TELEMETRY: 'none', REGEXES: 'anew', CRASHES: '20', HOSTILE: 'full', LEDGER_RUNS: '2000' },
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: HOUR_MS,
    hookTimeout: 120_000,
  },
});
