import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findCapability } from '../../src/capabilities/catalog.ts';
import { readOrder, readOrderInput } from '../../src/sales/read-order.ts';
import recorded from '../data/sales/fingerprints.json' with { type: 'json' };

const rows = z
  .array(
    z.strictObject({
      capability: z.string(),
      body: z.record(z.string(), z.unknown()),
      fingerprint: z.string(),
      writtenFingerprint: z.string().optional(),
    }),
  )
  .min(10)
  .parse(recorded);

async function read(capability: string, body: unknown) {
  const row = findCapability(capability);
  if (!row) throw new Error(`no ${capability}`);
  const outcome = await readOrderInput(row, body);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem));
  const { row: _row, ...asked } = outcome.asked;
  return asked;
}

// Recorded before bare hosts were taken: a stored payment is found by these.
test.each(rows)('$capability $body has the fingerprint of before', async ({ capability, body, ...fingerprints }) => {
  expect(await read(capability, body)).toEqual({ input: expect.any(Object), ...fingerprints });
});

test('a comparison is one order under both names of the competitor', async () => {
  const one = await read('compare', { url: 'example.com', competitor: 'example.org' });
  expect(await read('compare', { url: 'example.com', competitor_url: 'example.org' })).toEqual(one);
  expect(
    await read('compare', { url: 'example.com', competitor: 'example.org', competitor_url: 'example.org' }),
  ).toEqual(one);
});

describe('a bare host', () => {
  test.each(['example.com', 'EXAMPLE.com', ' example.com. ', 'example.com:443', 'example.com#top'])(
    '%j is the order of https://example.com/',
    async (url) => {
      const whole = await read('full_audit', { url: 'https://example.com/' });
      expect(await read('full_audit', { url })).toEqual({ ...whole, bareTargets: ['https://example.com/'] });
      const short = await read('full_audit', { url: 'https://example.com' });
      expect(short.fingerprint).toBe(whole.fingerprint);
    },
  );

  test('is another order than the same host over http', async () => {
    const bare = await read('full_audit', { url: 'example.com' });
    expect((await read('full_audit', { url: 'http://example.com/' })).fingerprint).not.toBe(bare.fingerprint);
  });

  test('is taken for a competitor, which alone is named as bare', async () => {
    const whole = await read('compare', { url: 'https://example.com/', competitor: 'https://example.org/' });
    const asked = await read('compare', { url: 'https://example.com/', competitor: 'example.org' });
    expect(asked).toEqual({ ...whole, bareTargets: ['https://example.org/'] });
  });

  test.each(['javascript:alert(1)', 'user@example.com', 'exa mple.com', '', '/path', 17, 'a'.repeat(2_041)])(
    '%j is refused',
    async (url) => {
      await expect(read('full_audit', { url })).rejects.toThrow('"pointer":"/url"');
    },
  );
});

/** Questions of exactly so many characters, no two alike. */
const buildJapanese = (count: number, chars: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => {
    const words = `${'一二三四五六七八九十'[at % 10]}${'月火水木金土日春夏秋'[Math.floor(at / 10)]}の会社に合う会計ソフトは`;
    return `${words}${'どのくらい使いやすく、'.repeat(40)}`.slice(0, chars - 5) + 'どれですか';
  });

// What docs/guides/measure-a-brand.md says of long questions.
test.each([
  [100, 210, 'ok'],
  [100, 220, 'body_too_large'],
  [70, 300, 'ok'],
  [75, 300, 'body_too_large'],
])('%i Japanese questions of %i characters: %s', async (count, chars, outcome) => {
  const row = findCapability('visibility_check');
  if (!row) throw new Error('no visibility_check');
  const body = { brand: 'Zendril', niche: '会計ソフト', language: 'ja', prompts: buildJapanese(count, chars) };
  const headers = { 'content-type': 'application/json' };
  const request = new Request('https://sightline.example/', { method: 'POST', headers, body: JSON.stringify(body) });
  const order = await readOrder(request, row, 'credential');
  expect(order.ok ? 'ok' : order.problem).toEqual(
    outcome === 'ok' ? outcome : expect.objectContaining({ code: outcome }),
  );
});
