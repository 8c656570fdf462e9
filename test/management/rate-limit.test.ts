import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('the limit of calls that callers are told is the one that is deployed', () => {
  const [, told] = /CALLS_A_MINUTE = ([\d_]+);/.exec(read('routes/control/limits.ts')) ?? [];
  const deployed = [...read('wrangler.control.toml').matchAll(/simple = \{ limit = (\d+), period = 60 \}/g)];
  expect(deployed.map(([, limit]) => limit)).toEqual(['60000', '60000']);
  expect(told?.replaceAll('_', '')).toBe('60000');
});
