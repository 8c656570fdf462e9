/**
 * Writes `src/client/api.generated.ts`: the types of `@sightline/client`, from our OpenAPI document.
 * `test/client/api-generated.test.ts` writes them again and compares.
 */
import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { openApiDocument } from '../src/openapi/document.ts';
import { resultStandard } from '../src/results/standard.ts';
import { resultSummary } from '../src/results/summary-shape.ts';
import { renderComment, renderSchemaType, type TypedSchema } from './client/schema-types.ts';

type Body = { content?: Record<string, { schema: TypedSchema }> };
type Operation = { summary?: string; requestBody?: Body; responses: Record<string, Body> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, TypedSchema> };
};

const CAPABILITY = /^\/api\/agent\/(?!index$)(\w+)$/;
const JSON_TYPE = 'application/json';

/** The views of a result, by the schemas that the document's own are made from. */
const views = {
  ResultSummary: z.toJSONSchema(resultSummary) as TypedSchema,
  ResultStandard: z.toJSONSchema(resultStandard) as TypedSchema,
};

/** @throws Error when the document lacks what the types are made from */
export function renderClientTypes(): string {
  const document = openApiDocument('https://sightline.example', true) as unknown as Document;
  const rows = Object.entries(document.paths).flatMap(([path, methods]) => {
    const name = CAPABILITY.exec(path)?.[1];
    return name !== undefined && methods['post'] ? [{ name, operation: methods['post'] }] : [];
  });
  if (rows.length === 0) throw new Error('the document sells nothing');
  const bodies = rows.map(({ name, operation }) => renderMember(name, operation, operation.requestBody));
  const results = rows.map(({ name, operation }) => renderMember(name, operation, operation.responses['200']));
  const components = Object.entries({ ...views, ...document.components.schemas }).map(
    ([name, schema]) => `${renderComment(schema, '')}export type ${name} = ${renderSchemaType(schema)};\n`,
  );
  return [
    '// Written by scripts/generate-client.ts from the OpenAPI document. Not edited by hand.\n',
    `/** The body of each capability. */\nexport type CapabilityBodies = {\n${bodies.join('')}};\n`,
    `/** The whole result of each capability. */\nexport type CapabilityResults = {\n${results.join('')}};\n`,
    ...components,
  ].join('\n');
}

function renderMember(name: string, { summary }: Operation, body: Body | undefined): string {
  const schema = body?.content?.[JSON_TYPE]?.schema;
  if (schema === undefined) throw new Error(`${name} has no schema of ${JSON_TYPE}`);
  const comment = summary === undefined ? '' : `  /** ${summary} */\n`;
  return `${comment}  ${name}: ${renderSchemaType(schema, 1)};\n`;
}

if (import.meta.main) {
  writeFileSync(new URL('../src/client/api.generated.ts', import.meta.url), renderClientTypes());
  console.log('wrote src/client/api.generated.ts');
}
