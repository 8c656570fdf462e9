/**
 * Writes what `@sightline/client` has of ours: `src/client/api.generated.ts`, its types, from our OpenAPI document, and
 * `src/client/networks.generated.ts`, the tokens that it signs for, from our table of networks.
 * `test/client/api-generated.test.ts` writes them again and compares.
 */
import { writeFileSync } from 'node:fs';
import { findTool } from '../../src/capabilities/sold-tools.ts';
import { buildPanelSchema } from '../../src/openapi/components.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { PAYMENT_NETWORKS } from '../../src/payment/terms/networks-data.ts';
import { renderComment, renderSchemaType, type TypedSchema } from './schema-types.ts';

type Body = { $ref?: string; content?: Record<string, { schema: TypedSchema }> };
type Operation = { summary?: string; requestBody?: Body; responses: Record<string, Body> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, TypedSchema>; responses?: Record<string, Body> };
};

const CAPABILITY = /^\/api\/agent\/(?!index$)(\w+)$/;
const PANEL = /^\/api\/panels\/(\w+)$/;
const TOOL = /^\/api\/tools\/(\w+)$/;
const JSON_TYPE = 'application/json';
const RESPONSE = '#/components/responses/';
/** The two shorter views, which are types of their own. */
const SHORT_RESULT = '#/components/schemas/ShortResult';

/** Components that src/client/results.ts names. */
const OWN_NAMES = [
  'Catalogue',
  'DryRun',
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
  const read = openApiDocument('https://sightline.example', true) as unknown as Document;
  const schemas = { ...read.components.schemas, PanelResult: buildPanelSchema() as TypedSchema };
  const document = { ...read, components: { ...read.components, schemas } };
  const rows = listSold(document, CAPABILITY);
  const panels = listSold(document, PANEL);
  const tools = listSold(document, TOOL).map((row) => ({ ...row, name: nameTool(row.name) }));
  const sold = [...rows, ...panels, ...tools].map(({ body, result }) => [body, result]);
  const components = listReached(schemas, [JSON.stringify(sold), ...OWN_NAMES.map(refTo)].join(' ')).map(
    ([name, schema]) => `${renderComment(schema, '')}export type ${name} = ${renderSchemaType(schema)};\n`,
  );
  return [
    '// Written by scripts/client/generate.ts from the OpenAPI document. Not edited by hand.\n',
    renderTable('CapabilityBodies', 'The body of each capability.', rows, ({ body }) => body),
    renderTable('CapabilityResults', 'The whole result of each capability.', rows, ({ result }) => result),
    renderTable('PanelBodies', 'The body of each panel of engines.', panels, ({ body }) => body),
    renderTable('PanelResults', 'The whole result of each panel of engines.', panels, ({ result }) => result),
    renderTable('ToolBodies', 'The body of each tool beside the catalogue.', tools, ({ body }) => body),
    renderTable('ToolResults', 'The whole result of each tool beside the catalogue.', tools, ({ result }) => result),
    ...components,
  ].join('\n');
}

/** The name of the tool at the end of a path. @throws Error for a path of no tool */
function nameTool(segment: string): string {
  const tool = findTool(segment);
  if (tool === undefined) throw new Error(`no tool is sold at /api/tools/${segment}`);
  return tool.name;
}

type SoldOperation = { name: string; summary: string | undefined; body: Body | undefined; result: Body | undefined };

/** What is sold at paths of this form. @throws Error when nothing is */
function listSold(document: Document, path: RegExp): readonly SoldOperation[] {
  const found = Object.entries(document.paths).flatMap(([at, { post: operation }]) => {
    const name = path.exec(at)?.[1];
    if (name === undefined || operation === undefined) return [];
    const { summary, requestBody: body } = operation;
    return [{ name, summary, body, result: findResult(document, operation) }];
  });
  if (found.length === 0) throw new Error(`the document sells nothing at ${path}`);
  return found;
}

function renderTable(
  name: string,
  text: string,
  rows: readonly SoldOperation[],
  pick: (row: SoldOperation) => Body | undefined,
): string {
  return `/** ${text} */\nexport type ${name} = {\n${rows.map((row) => renderMember(row, pick(row))).join('')}};\n`;
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

function renderMember({ name, summary }: SoldOperation, body: Body | undefined): string {
  const schema = body?.content?.[JSON_TYPE]?.schema;
  if (schema === undefined) throw new Error(`${name} has no schema of ${JSON_TYPE}`);
  const comment = summary === undefined ? '' : `  /** ${summary} */\n`;
  return `${comment}  ${name}: ${renderSchemaType(schema, 1)};\n`;
}

/** USDC of each network, as a wallet signs for it. */
export function renderClientNetworks(): string {
  const rows = Object.values(PAYMENT_NETWORKS).map(
    ({ id, chainId, usdc, domain }) =>
      `  ${JSON.stringify(id)}: ${JSON.stringify({ chainId, asset: usdc, domain })},\n`,
  );
  return [
    '// Written by scripts/client/generate.ts from src/payment/terms/networks-data.ts. Not edited by hand.\n',
    `/** The only tokens that are signed for, each with its EIP-712 domain. */\nexport const tokens = {\n${rows.join('')}} as const;\n`,
  ].join('\n');
}

const written = { 'api.generated.ts': renderClientTypes, 'networks.generated.ts': renderClientNetworks };

if (import.meta.main)
  for (const [name, render] of Object.entries(written)) {
    writeFileSync(new URL(`../../src/client/${name}`, import.meta.url), render());
    console.log(`wrote src/client/${name}`);
  }
