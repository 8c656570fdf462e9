import { expect, test } from 'vitest';
import { renderClientTypes } from '../../scripts/client/generate.ts';
import { formatPanelPath, panels } from '../../src/capabilities/panels.ts';
import { exampleSellerBody, formatToolPath, soldTools } from '../../src/capabilities/sold-tools.ts';
import { type FetchPort, sightline, type Wallet } from '../../src/client/index.ts';

const wallet: Wallet = {
  address: '0x7a3F1C0D5b8E4A6f9C2d1E0B3a5c7d9E1F2A4b6c',
  signTypedData: () => Promise.reject(new Error('nothing is to be signed')),
};

test.each([
  ...panels.map((row) => [row.name, formatPanelPath(row), { brand: 'Acme', niche: 'help desk software' }] as const),
  ...soldTools.map((row) => [row.name, formatToolPath(row), exampleSellerBody] as const),
])('%s is asked for where it is sold', async (name, path, body) => {
  const seen: string[] = [];
  const refusing: FetchPort = async (url) => {
    seen.push(new URL(url).pathname);
    return Response.json({ code: 'engine_not_configured' }, { status: 503 });
  };
  const client = sightline({ baseUrl: 'https://service.test', wallet, fetch: refusing });
  await expect(client.buy(name, body as never)).rejects.toMatchObject({
    code: 'engine_not_configured',
  });
  expect(seen).toEqual([path]);
});

test('each panel and tool has a body and a result of its own name, and the result is described with every figure', () => {
  const text = renderClientTypes();
  for (const { name } of [...panels, ...soldTools]) expect(text.split(`\n  ${name}: `)).toHaveLength(3);
  for (const member of ['adjusted_p_value', 'transcripts_sha256', 'page_checks', 'mention_rate: MentionRate'])
    expect(text.slice(text.indexOf('export type PanelResult ='))).toContain(member);
});
