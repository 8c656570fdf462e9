import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { catalog } from '../../src/capabilities/catalog.ts';
import type { AnyCapability } from '../../src/capabilities/capability.ts';
import { INDEX_TOOL } from '../../src/capabilities/service.ts';
import { REPORT_CARD_URI } from '../../src/mcp/card/card.ts';
import { isFreeTool } from '../../src/mcp/free-tools.ts';
import { checkArguments } from '../../src/mcp/server.ts';
import { buildSharedTerms, buildToolTable, formatShortUsd, type FurtherNetwork } from '../../src/mcp/tools.ts';
import { BASE, POLYGON, SOLANA } from '../../src/payment/terms/networks-data.ts';
import { isSoldBySvm } from '../../src/payment/terms/sold-on.ts';

const PAY_TO = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';
const doors = ['open', 'account', 'stdio'] as const;
const tools = buildToolTable({ payTo: PAY_TO, door: 'open' });
const sold = tools.filter(({ name }) => catalog.some((row) => row.name === name));
/**
 * Largest `tools/list`, in bytes. By the tokenizer of o200k these texts have more than 4.07 bytes a token
 * (`npm run bench -- --only mcp` counts), so this is at most 6,000 tokens.
 */
const MAX_LIST_BYTES = 24_400;

/** Largest that the terms of all main networks add to it, which no model reads. */
const MAX_FURTHER_BYTES = 800;
const ON_SOLANA = {
  payTo: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
  feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
};
const further: readonly FurtherNetwork[] = [
  { network: POLYGON, payTo: PAY_TO, sells: () => true },
  { network: SOLANA, ...ON_SOLANA, sells: isSoldBySvm },
];

/** Free tools that change something. */
const writing = ['publish_report', 'create_monitor', 'update_monitor', 'run_monitor', 'delete_monitor'];

describe('the tool table', () => {
  test('holds the free index, one tool for each row of the catalogue in its order, and the other free tools', () => {
    const names = tools.map(({ name }) => name);
    expect(names.slice(0, catalog.length + 1)).toEqual([INDEX_TOOL, ...catalog.map(({ name }) => name)]);
    expect(names.slice(catalog.length + 1).every(isFreeTool)).toBe(true);
  });

  test('a row that is added becomes a tool without any edit', () => {
    const row = { ...catalog[0], priceMicroUsdc: 1_234_500 } as unknown as AnyCapability;
    const [, added] = buildToolTable({ payTo: PAY_TO, door: 'open' }, [row]);
    expect(added).toMatchObject({ name: 'check_health', title: 'Site health' });
    expect(added?.description).toContain('Costs 1.2345 USDC');
  });

  test.each(doors)('is small enough to be read by a model: %s', (door) => {
    const list = { tools: buildToolTable({ payTo: PAY_TO, door }), _meta: { x402: buildSharedTerms(PAY_TO) } };
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(MAX_LIST_BYTES);
  });

  test.each(sold.map((tool) => [tool.name, tool] as const))('%s tells price, terms and schemas', (name, tool) => {
    const row = catalog.find((one) => one.name === name);
    expect(tool.title).toMatch(/^[A-Za-z].* |^[A-Z][a-z]+$/u);
    expect(tool.description).toContain(`Costs ${formatShortUsd(row?.priceMicroUsdc ?? 0)} USDC`);
    expect(tool._meta?.['x402']).toEqual({ amount: String(row?.priceMicroUsdc) });
    expect(tool._meta?.['ui']).toEqual({ resourceUri: REPORT_CARD_URI });
    expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(
      Object.keys(row?.body.shape ?? {}).filter((member) => !['publish', 'prompt_set', 'max_pages'].includes(member)),
    );
    expect(() => z.fromJSONSchema(tool.outputSchema as never)).not.toThrow();
  });

  test('the terms that all tools share are those of a quote without its amount', () => {
    expect(buildSharedTerms(PAY_TO)).toEqual({
      x402Version: 2,
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2' },
    });
  });

  test('further networks change nothing of what clients of one read', () => {
    const more = { ...buildSharedTerms(PAY_TO, BASE, further) };
    expect(more).toEqual({ ...buildSharedTerms(PAY_TO), accepts: more['accepts'] });
    const table = buildToolTable({ payTo: PAY_TO, network: BASE, others: further, door: 'open' });
    const withoutNetworks = (key: string, value: unknown): unknown => (key === 'networks' ? undefined : value);
    expect(JSON.stringify(table, withoutNetworks)).toBe(JSON.stringify(tools));
    expect(buildToolTable({ payTo: PAY_TO, network: BASE, others: [], door: 'open' })).toEqual(tools);
  });

  test('all networks are listed as in a 402, the first one first', () => {
    expect(buildSharedTerms(PAY_TO, BASE, further)['accepts']).toEqual([
      {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo: PAY_TO,
        maxTimeoutSeconds: 300,
        extra: { name: 'USD Coin', version: '2' },
      },
      {
        scheme: 'exact',
        network: 'eip155:137',
        asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
        payTo: PAY_TO,
        maxTimeoutSeconds: 300,
        extra: { name: 'USD Coin', version: '2' },
      },
      {
        scheme: 'exact',
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        payTo: ON_SOLANA.payTo,
        maxTimeoutSeconds: 300,
        extra: { feePayer: ON_SOLANA.feePayer },
      },
    ]);
  });

  test('a tool that is not sold on all of them names those that it is sold on', () => {
    const table = buildToolTable({ payTo: PAY_TO, network: BASE, others: further, door: 'open' });
    const limited = table.filter(({ _meta }) => Object(_meta?.['x402']).networks !== undefined);
    expect(limited.map(({ name, _meta }) => [name, _meta?.['x402']])).toEqual(
      catalog
        .filter((row) => !isSoldBySvm(row))
        .map(({ name, priceMicroUsdc }) => [
          name,
          { amount: String(priceMicroUsdc), networks: ['eip155:8453', 'eip155:137'] },
        ]),
    );
    expect(limited.length).toBeGreaterThan(0);
  });

  test.each(doors)('further networks add little: %s', (door) => {
    const sizeWith = (others: readonly FurtherNetwork[]): number => {
      const list = buildToolTable({ payTo: PAY_TO, network: BASE, others, door });
      return Buffer.byteLength(
        JSON.stringify({ tools: list, _meta: { x402: buildSharedTerms(PAY_TO, BASE, others) } }),
      );
    };
    expect(sizeWith(further) - sizeWith([])).toBeLessThanOrEqual(MAX_FURTHER_BYTES);
  });

  test('`publish` is not listed and still understood', async () => {
    const body = { url: 'https://a.example/', publish: true };
    expect(await checkArguments('full_audit', body)).toBeUndefined();
    expect(await checkArguments('full_audit', { ...body, publish: 'yes' })).toMatchObject({ isError: true });
  });

  test.each(doors)('Y9: hints are honest at the door %s', (door) => {
    const table = buildToolTable({ payTo: PAY_TO, door });
    for (const { name, annotations } of table) {
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
      const costs = catalog.some((row) => row.name === name);
      expect([name, readOnlyHint]).toEqual([name, !costs && !writing.includes(name)]);
      // Only what may change something has to say whether it destroys.
      expect([name, destructiveHint]).toEqual([name, readOnlyHint === true ? undefined : name === 'delete_monitor']);
      expect([name, idempotentHint]).toEqual([name, (!costs && name !== 'run_monitor') || door === 'open']);
      expect(openWorldHint).toBeTypeOf('boolean');
    }
  });

  test('where nothing can be sold no terms are told', () => {
    const table = buildToolTable({ payTo: undefined, door: 'open' });
    expect(table.every(({ _meta }) => _meta?.['x402'] === undefined)).toBe(true);
  });

  test('each reads a site or asks an engine', () => {
    const closed = tools.filter(({ annotations }) => annotations?.openWorldHint === false).map(({ name }) => name);
    expect(closed.filter((name) => !isFreeTool(name))).toEqual([]);
  });

  test.each([
    [60_000, '0.06'],
    [1_000_000, '1.00'],
    [1_950_000, '1.95'],
    [1, '0.000001'],
    [1_234_500, '1.2345'],
  ])('%i micro-USDC reads %s', (microUsdc, text) => {
    expect(formatShortUsd(microUsdc)).toBe(text);
  });
});
