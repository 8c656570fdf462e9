import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { makeExamples } from '../../scripts/generate-examples.ts';
import { capabilityNames } from '../../src/capabilities/capability-name.ts';
import { fixResult, checkResult, resultParts } from '../../src/capabilities/results.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { creditPacks, packPath } from '../../src/capabilities/credit-packs.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { resultSummary } from '../../src/results/summary-shape.ts';
import { resolveRefs } from '../support/openapi/resolve.ts';

const stored: unknown = JSON.parse(
  readFileSync(new URL('../../src/openapi/examples.generated.json', import.meta.url), 'utf8'),
);
const raw: unknown = JSON.parse(JSON.stringify(openApiDocument('https://sightline.example', true)));

const media = z.object({
  schema: z.record(z.string(), z.unknown()),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
});
const content = z.object({ content: z.object({ 'application/json': media }) });
const { paths, components } = z
  .object({
    paths: z.record(z.string(), z.object({ post: z.unknown().optional() })),
    components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
  })
  .parse(resolveRefs(raw, raw));

test('the stored examples are those that the fixture sites give now: node scripts/generate-examples.ts', async () => {
  expect(JSON.parse(JSON.stringify(await makeExamples()))).toEqual(stored);
});

describe.each([...catalog.map(({ name }) => `/api/agent/${name}`), ...creditPacks.map(packPath)])('%s', (path) => {
  const { requestBody, responses } = z
    .object({ requestBody: content, responses: z.looseObject({ 200: content }) })
    .parse(paths[path]?.post);

  test('has an example of its body that its schema accepts', () => {
    const { schema, example } = requestBody.content['application/json'];
    expect(example).toBeDefined();
    expect(z.fromJSONSchema(schema).safeParse(example).error).toBeUndefined();
  });

  test('has an example of its result that its schema accepts, and that is not accepted without its report', () => {
    const { schema, examples } = responses[200].content['application/json'];
    const example = examples?.['summary']?.value;
    expect(z.fromJSONSchema(schema).safeParse(example).error).toBeUndefined();
    expect(z.fromJSONSchema(schema).safeParse({ ...Object(example), warnings: undefined }).success).toBe(false);
  });
});

test('every example of a capability is a summary of a result', () => {
  const { results } = z.object({ results: z.record(z.string(), z.unknown()) }).parse(stored);
  const shown = capabilityNames.filter((name) => name in results);
  expect(shown.length).toBeGreaterThan(8);
  for (const name of shown) expect(resultSummary.strict().parse(results[name])).toMatchObject({ capability: name });
});

test.each([
  ['Check', checkResult],
  ['Fix', fixResult],
  ['File', resultParts.File],
])('%s has a whole one as an example', (name, schema) => {
  const [example] = z.array(z.unknown()).parse(components.schemas[name]?.['examples']);
  expect(schema.strict().parse(example)).toEqual(example);
});

const golden = z
  .record(z.string(), z.object({ body: z.record(z.string(), z.unknown()) }))
  .parse(
    JSON.parse(
      readFileSync(new URL('../data/wire/payment-required.json', import.meta.url), 'utf8').replaceAll(
        '<price>',
        '60000',
      ),
    ),
  );

test.each(Object.entries(golden))('the 402 of %s is what the document says, member by member', (_of, { body }) => {
  const terms = z.fromJSONSchema(components.schemas['PaymentRequired'] ?? {});
  expect(terms.safeParse(body).error).toBeUndefined();
  expect(terms.safeParse({ ...body, accepts: [{}] }).success).toBe(false);
  expect(terms.safeParse({ ...body, request_id: undefined }).success).toBe(false);
});
