import { expect, test } from 'vitest';
import { type FetchPort, sightline } from '../../src/client/index.ts';

const ANSWER = {
  dry_run: true,
  capability: 'full_audit',
  price: { amount: '350000', usd: '0.350000', currency: 'USDC' },
};

function answering(answer: Response): {
  client: ReturnType<typeof sightline>;
  sent: { url: string; init: RequestInit }[];
} {
  const sent: { url: string; init: RequestInit }[] = [];
  const fetch: FetchPort = async (url, init) => {
    sent.push({ url, init });
    return answer.clone();
  };
  return { client: sightline({ baseUrl: 'https://service.test', fetch, maxAttempts: 1 }), sent };
}

test.each([
  ['full_audit', '/api/agent/full_audit'],
  ['visibility_panel_2', '/api/panels/visibility_panel_2'],
] as const)('%s is asked what it would cost, without a wallet and without a payment', async (name, path) => {
  const { client, sent } = answering(Response.json(ANSWER));
  expect(await client.dryRun(name, { url: 'https://a.example/' } as never)).toEqual(ANSWER);
  expect(sent.map(({ url }) => url)).toEqual([`https://service.test${path}?dry=1`]);
  expect([sent[0]?.init.method, sent[0]?.init.body]).toEqual(['POST', '{"url":"https://a.example/"}']);
  expect([...new Headers(sent[0]?.init.headers).keys()]).not.toContain('payment-signature');
});

test('a refusal is an error with its code', async () => {
  const { client } = answering(Response.json({ code: 'target_refused' }, { status: 422 }));
  await expect(client.dryRun('full_audit', { url: 'http://10.0.0.1/' })).rejects.toMatchObject({
    code: 'target_refused',
  });
});
