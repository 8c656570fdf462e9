import {
  type DiscoveryExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar';
import { describe, expect, test } from 'vitest';
import { bazaarExtensions } from '../../scripts/generate-bazaar.ts';
import generated from '../../src/capabilities/bazaar.generated.json' with { type: 'json' };
import { buildBodySchema } from '../../src/capabilities/capability.ts';
import { soldRoutes } from '../../src/capabilities/sold-routes.ts';

type Block = DiscoveryExtension & {
  info: { input: { body: Record<string, unknown> } };
  schema: { properties: { input: { properties: { body: BodySchema } } } };
};
type BodySchema = { properties?: Record<string, object>; required?: readonly string[]; description?: string };

const blocks = generated as unknown as Readonly<Record<string, Block>>;
const blockOf = (name: string): Block => blocks[name] ?? ({} as Block);

test('the file is what the script makes of the rows', () => {
  expect(generated).toEqual(bazaarExtensions());
  expect(Object.keys(blocks)).toEqual(soldRoutes.map(({ row }) => row.name));
});

describe.each(soldRoutes.map(({ row }) => [row.name, row] as const))('%s', (name, row) => {
  const block = blockOf(name);
  const { body: schema } = block.schema.properties.input.properties;

  test('the official validators accept its block', () => {
    expect(validateDiscoveryExtension(block)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(block as unknown as Record<string, unknown>)).toEqual({ valid: true });
  });

  test('its example is a body that the route takes', async () => {
    const parsed = row.body.safeParse(block.info.input.body);
    expect(parsed.success).toBe(true);
    expect(await row.refuse?.(parsed.data ?? {})).toBeUndefined();
  });

  const judge = (body: Record<string, unknown>): boolean =>
    validateDiscoveryExtension({
      ...block,
      info: { ...block.info, input: { ...block.info.input, body } },
    } as unknown as Block).valid;

  test('its schema asks for what the body needs, and says where the rest is', () => {
    const full = buildBodySchema(row) as BodySchema;
    expect(schema.required).toEqual(full.required);
    for (const field of full.required ?? []) {
      const { [field]: _left, ...body } = block.info.input.body;
      expect(judge(body)).toBe(false);
    }
    const hasMore = Object.keys(full.properties ?? {}).length > (full.required ?? []).length;
    expect(schema.description).toBe(hasMore ? 'More fields: /openapi.json' : undefined);
    expect(judge({ ...block.info.input.body, other: 1 })).toBe(hasMore);
  });
});
