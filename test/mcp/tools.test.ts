import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { catalog } from '../../src/capabilities/catalog.ts';
import type { AnyCapability } from '../../src/capabilities/capability.ts';
import { INDEX_TOOL } from '../../src/capabilities/service.ts';
import { formatShortUsd, buildToolTable } from '../../src/mcp/tools.ts';

const PAY_TO = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';
const tools = buildToolTable({ payTo: PAY_TO });
/** Largest tools/list, in characters: every client reads all of it, and most put it before a model. */
const MAX_LIST_CHARS = 45_000;

describe('the tool table', () => {
  test('holds the free index and one tool for each row of the catalogue, in its order', () => {
    expect(tools.map(({ name }) => name)).toEqual([INDEX_TOOL, ...catalog.map(({ name }) => name)]);
  });

  test('a row that is added becomes a tool without any edit', () => {
    const row = { ...catalog[0], name: 'check_something_new', priceMicroUsdc: 1_234_500 } as unknown as AnyCapability;
    const [, added] = buildToolTable({ payTo: PAY_TO }, [row]);
    expect(added).toMatchObject({ name: 'check_something_new', title: 'Check something new' });
    expect(added?.description).toContain('Costs 1.2345 USDC');
  });

  test('is small enough to be read by a model', () => {
    expect(JSON.stringify(tools).length).toBeLessThan(MAX_LIST_CHARS);
  });

  test.each(tools.slice(1).map((tool) => [tool.name, tool] as const))(
    '%s tells price, terms and schemas',
    (name, tool) => {
      const row = catalog.find((one) => one.name === name);
      expect(tool.description).toContain(`Costs ${formatShortUsd(row?.priceMicroUsdc ?? 0)} USDC`);
      expect(tool._meta?.['x402']).toMatchObject({
        paymentRequired: true,
        scheme: 'exact',
        network: 'eip155:8453',
        amount: String(row?.priceMicroUsdc),
        payTo: PAY_TO,
        maxTimeoutSeconds: 300,
        extra: { name: 'USD Coin', version: '2' },
      });
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(() => z.fromJSONSchema(tool.outputSchema as never)).not.toThrow();
      expect(tool.annotations).toMatchObject({ readOnlyHint: true });
    },
  );

  test('where nothing can be sold no terms are told', () => {
    expect(buildToolTable({ payTo: undefined }).every(({ _meta }) => _meta === undefined)).toBe(true);
  });

  test('only what is made from the request alone leaves the world alone', () => {
    const closed = tools.filter(({ annotations }) => annotations?.openWorldHint === false).map(({ name }) => name);
    expect(closed).toEqual([INDEX_TOOL, 'visibility_fix_pack']);
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
