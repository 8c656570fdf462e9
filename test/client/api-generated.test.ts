import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderClientNetworks, renderClientTypes } from '../../scripts/client/generate.ts';
import { renderSchemaType } from '../../scripts/client/schema-types.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { CLIENT_VERSION } from '../../src/client/index.ts';
import { tokens } from '../../src/client/networks.generated.ts';
import { service } from '../../src/capabilities/service.ts';
import { PAYMENT_NETWORKS } from '../../src/payment/terms/networks-data.ts';

test('the types of the client are those of the OpenAPI document (node scripts/client/generate.ts)', () => {
  expect(readFileSync(new URL('../../src/client/api.generated.ts', import.meta.url), 'utf8')).toBe(renderClientTypes());
});

test('the tokens of the client are those of our table of networks (node scripts/client/generate.ts)', () => {
  const path = new URL('../../src/client/networks.generated.ts', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(renderClientNetworks());
  const own = Object.values(PAYMENT_NETWORKS).map(({ id, chainId, usdc: asset, domain }) => [
    id,
    { chainId, asset, domain },
  ]);
  expect(Object.entries(tokens)).toEqual(own);
});

test('they have every row of the catalogue', () => {
  const text = renderClientTypes();
  expect(catalog.filter(({ name }) => text.split(`\n  ${name}: `).length !== 3)).toEqual([]);
});

test('the client names the version of the release', () => {
  expect(CLIENT_VERSION).toBe(service.version);
});

test.each<[object | boolean, string]>([
  [{}, 'unknown'],
  [true, 'unknown'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, '(string | null)'],
  [{ const: false, type: 'boolean' }, 'false'],
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ $ref: '#/components/schemas/Check' }, 'Check'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Check' } }, 'Check[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, '(string | null)'],
  [{ allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }, 'A & B'],
  [{ type: 'object' }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ type: 'object', properties: { 'a-b': { type: 'string' } }, required: ['a-b'] }, '{\n  "a-b": string;\n}'],
  [
    { type: 'object', properties: { a: { type: 'string', description: 'Ends */ early' } } },
    '{\n  /** Ends *\\/ early */\n  a?: string;\n}',
  ],
])('the schema %j is the type %s', (schema, type) => {
  expect(renderSchemaType(schema)).toBe(type);
});

test.each([
  [{ type: 'text' }, 'text is no type'],
  [{ $ref: 'https://elsewhere.test/schema' }, 'is no component'],
])('the schema %j is refused', (schema, words) => {
  expect(() => renderSchemaType(schema)).toThrow(words);
});
