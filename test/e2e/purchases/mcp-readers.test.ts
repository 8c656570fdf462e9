import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';

const PROGRAM = join(import.meta.dirname, 'readers/buy-and-fix.ts');
/** What a client may show of one result: 25,000 tokens of two bytes. */
const MAX_SEEN_BYTES = 50_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const found = z.object({
  reportId: z.string().regex(/^[0-9a-f]{32}$/),
  fixId: z.string().min(1),
  isFix: z.literal(true),
  hasInstructions: z.literal(true),
  bytes: z.object({ sold: z.number(), page: z.number() }),
  structured: z.number(),
});

test('the program of the buyer uses nothing of this repository', () => {
  const imported = [...readFileSync(PROGRAM, 'utf8').matchAll(/from '([^']+)'/g)].map(
    ([, specifier]) => specifier ?? '.',
  );
  expect(imported.filter((specifier) => specifier.startsWith('.'))).toEqual([]);
});

describe('clients in processes of their own find the first fix of a report and fetch it', () => {
  test.each(['claude', 'text', 'structured'])('one that reads as %s', async (how) => {
    const buyer = await stack.chain.freshAccount(1_000_000n);
    const before = await stack.chain.balance(buyer.address);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', PROGRAM, how, `${stack.api.url}/mcp`, stack.sites.poor],
      { env: { PATH: process.env['PATH'], BUYER_KEY: buyer.privateKey } },
    );
    const { bytes, structured } = found.parse(JSON.parse(stdout));
    expect(structured).toBeLessThanOrEqual(8 * 1024);
    expect(bytes.sold).toBeLessThan(MAX_SEEN_BYTES);
    expect(before - (await stack.chain.balance(buyer.address))).toBe(350_000n);
  });
});
