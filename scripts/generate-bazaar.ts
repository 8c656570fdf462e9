/**
 * Writes `src/capabilities/bazaar.generated.json`: the x402 `bazaar` extension of each row that is sold. It is the smallest
 * that crawlers and the official validator accept, because the header of a 402 carries it. The validator runs here and not
 * in the Worker, where it may not compile schemas to code. `test/capabilities/bazaar.test.ts` makes it again and compares.
 */
import { writeFileSync } from 'node:fs';
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';
import { catalog } from '../src/capabilities/catalog.ts';
import { exampleBodies } from '../src/capabilities/bodies.ts';
import { buildBodySchema } from '../src/capabilities/capability.ts';
import { creditPacks, type SoldRow } from '../src/capabilities/credit-packs.ts';
import { panels } from '../src/capabilities/panels.ts';
import { exampleSellerBody, soldTools } from '../src/capabilities/sold-tools.ts';

/** A row that is sold at a route of its own, with a body that its schema accepts. */
type BazaarRow = { name: string; body: SoldRow['body']; example: Record<string, unknown> };

const rows: readonly BazaarRow[] = [
  ...catalog.map((row) => ({ ...row, example: exampleBodies[row.name] })),
  ...panels.map((row) => ({ ...row, example: exampleBodies.visibility_check })),
  ...soldTools.map((row) => ({ ...row, example: exampleSellerBody })),
  ...creditPacks.map((row) => ({ ...row, example: {} })),
];

/** @throws Error when the official validator refuses the extension of a row. */
export function bazaarExtensions(): Record<string, unknown> {
  return Object.fromEntries(rows.map((row) => [row.name, buildExtension(row)]));
}

type Member = { type?: unknown };
type BodySchema = { properties?: Record<string, Member>; required?: readonly string[] };

/** What a buyer needs in order to write a body that is taken: other fields may be left out, and the document has them. */
function shortenBody({ properties = {}, required = [] }: BodySchema): Record<string, unknown> {
  const needed = required.map((name) => [name, { type: properties[name]?.type }] as const);
  const hasMore = Object.keys(properties).length > required.length;
  return {
    type: 'object',
    ...(hasMore ? { description: 'More fields: /openapi.json' } : {}),
    ...(needed.length === 0 ? {} : { properties: Object.fromEntries(needed), required }),
    ...(hasMore ? {} : { additionalProperties: false }),
  };
}

function buildExtension({ name, body, example }: BazaarRow): unknown {
  const extension = {
    info: { input: { type: 'http', method: 'POST', bodyType: 'json', body: example } },
    schema: {
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            method: { const: 'POST' },
            body: shortenBody(buildBodySchema({ body })),
          },
          required: ['method', 'body'],
        },
        output: { properties: { example: { type: 'object' } } },
      },
      required: ['input'],
    },
  };
  for (const verdict of [validateDiscoveryExtension(extension as never), validateDiscoveryExtensionSpec(extension)])
    if (!verdict.valid) throw new Error(`bazaar extension of ${name}: ${JSON.stringify(verdict.errors)}`);
  return extension;
}

if (import.meta.main) {
  const path = new URL('../src/capabilities/bazaar.generated.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify(bazaarExtensions(), null, 1)}\n`);
  console.log('wrote src/capabilities/bazaar.generated.json');
}
