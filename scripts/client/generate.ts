/**
 * Writes `src/client/api.generated.ts`: the types of `@sightline/client`, from our OpenAPI document.
 * `test/client/api-generated.test.ts` writes them again and compares.
 */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../src/openapi/document.ts';
import { renderComment, renderSchemaType, type TypedSchema } from './schema-types.ts';

type Body = { $ref?: string; content?: Record<string, { schema: TypedSchema }> };
type Operation = { summary?: string; requestBody?: Body; responses: Record<string, Body> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, TypedSchema>; responses?: Record<string, Body> };
};

const CAPABILITY = /^\/api\/agent\/(?!index$)(\w+)$/;
const JSON_TYPE = 'application/json';
const RESPONSE = '#/components/responses/';
/** The two shorter views, which are types of their own. */
const SHORT_RESULT = '#/components/schemas/ShortResult';

/** Components that src/client/results.ts names. */
const OWN_NAMES = [
  'Catalogue',
  'Publication',
  'ResultStandard',
  'ResultSummary',
  'SectionAnswer',
  'SectionCheck',
  'SectionCitation',
  'SectionEvidence',
  'SectionPage',
  'SectionRequest',
];
const refTo = (name: string): string => `#/components/schemas/${name}`;
const REFS = /#\/components\/schemas\/(\w+)/g;

/** @throws Error when the document lacks what the types are made from */
export function renderClientTypes(): string {
  const document = openApiDocument('https://sightline.example', true) as unknown as Document;
  const rows = Object.entries(document.paths).flatMap(([path, methods]) => {
    const name = CAPABILITY.exec(path)?.[1];
    return name !== undefined && methods['post'] ? [{ name, operation: methods['post'] }] : [];
  });
  if (rows.length === 0) throw new Error('the document sells nothing');
  const bodies = rows.map(({ name, operation }) => renderMember(name, operation, operation.requestBody));
  const results = rows.map(({ name, operation }) => renderMember(name, operation, findResult(document, operation)));
  const sold = rows.map(({ operation }) => [operation.requestBody, findResult(document, operation)]);
  const { schemas } = document.components;
  const components = listReached(schemas, [JSON.stringify(sold), ...OWN_NAMES.map(refTo)].join(' ')).map(
    ([name, schema]) => `${renderComment(schema, '')}export type ${name} = ${renderSchemaType(schema)};\n`,
  );
  return [
    '// Written by scripts/client/generate.ts from the OpenAPI document. Not edited by hand.\n',
    `/** The body of each capability. */\nexport type CapabilityBodies = {\n${bodies.join('')}};\n`,
    `/** The whole result of each capability. */\nexport type CapabilityResults = {\n${results.join('')}};\n`,
    ...components,
  ].join('\n');
}

/** The whole result: what a purchase answers without `view`. */
function findResult({ components }: Document, { responses }: Operation): Body | undefined {
  const answer = responses['200'];
  const found = answer?.$ref === undefined ? answer : components.responses?.[answer.$ref.replace(RESPONSE, '')];
  const schema = found?.content?.[JSON_TYPE]?.schema;
  if (typeof schema !== 'object' || schema.anyOf === undefined) return found;
  const anyOf = schema.anyOf.filter((one) => typeof one === 'boolean' || one.$ref !== SHORT_RESULT);
  return { content: { [JSON_TYPE]: { schema: { ...schema, anyOf } } } };
}

/** The components that a text refers to, and those that they refer to. */
function listReached(schemas: Document['components']['schemas'], text: string): [string, TypedSchema][] {
  const reached = new Set<string>();
  const texts = [text];
  for (let next = texts.pop(); next !== undefined; next = texts.pop())
    for (const [, name = ''] of next.matchAll(REFS)) {
      if (reached.has(name)) continue;
      reached.add(name);
      texts.push(JSON.stringify(schemas[name]));
    }
  return Object.entries(schemas).filter(([name]) => reached.has(name));
}

function renderMember(name: string, { summary }: Operation, body: Body | undefined): string {
  const schema = body?.content?.[JSON_TYPE]?.schema;
  if (schema === undefined) throw new Error(`${name} has no schema of ${JSON_TYPE}`);
  const comment = summary === undefined ? '' : `  /** ${summary} */\n`;
  return `${comment}  ${name}: ${renderSchemaType(schema, 1)};\n`;
}

if (import.meta.main) {
  writeFileSync(new URL('../../src/client/api.generated.ts', import.meta.url), renderClientTypes());
  console.log('wrote src/client/api.generated.ts');
}
