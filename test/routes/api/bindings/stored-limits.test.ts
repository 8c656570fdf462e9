import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { getLimitsReader, storeLimits } from '../../../../routes/api/bindings/stored-limits.ts';
import { Operations } from '../../../../routes/api/bindings/operations-entrypoint.ts';

const bound = env as unknown as Env; // The project's settings hold all that it names.
const KEY = 'settings/limits.json';

test('limits that the control Worker hands over are stored, and read from then on', async () => {
  expect(await getLimitsReader(env).read()).toEqual({});
  await new Operations(createExecutionContext(), bound).chooseLimits({ free: 12, paid: 40 });
  expect(await getLimitsReader(env).read()).toEqual({ free: 12, paid: 40 });
  await storeLimits(env, {});
  expect(await getLimitsReader(env).read()).toEqual({});
});

test('they are written only where they are others', async () => {
  const put = vi.spyOn(Object.getPrototypeOf(env.REPORTS) as R2Bucket, 'put');
  await storeLimits(env, { free: 12 });
  await storeLimits(env, { free: 12 });
  await storeLimits(env, { free: 13 });
  expect(put.mock.calls.map(([key, text]) => [key, text])).toEqual([
    [KEY, '{"free":12}'],
    [KEY, '{"free":13}'],
  ]);
  put.mockRestore();
});

test('K2: what is no limit, or beyond floor and ceiling, is not stored as it came', async () => {
  await storeLimits(env, { free: 1, mcp: 'all', other: 5 });
  expect(await (await env.REPORTS.get(KEY))?.json()).toEqual({ free: 10 });
  await storeLimits(env, 'nothing that is a limit');
  expect(await (await env.REPORTS.get(KEY))?.json()).toEqual({});
});
