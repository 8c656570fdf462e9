import * as z from 'zod';
import { publishableBody, urlBody } from '../capabilities/bodies.ts';
import { buildBodySchema } from '../capabilities/capability.ts';
import { questionFields } from '../capabilities/visibility-questions.ts';
import { catalog } from '../capabilities/catalog.ts';
import { panelOutline, panelResult } from '../capabilities/panel-results.ts';
import { panelBody } from '../capabilities/panel-bodies.ts';
import { panels } from '../capabilities/panels.ts';
import { soldTools } from '../capabilities/sold-tools.ts';
import { packBody, packResult, type SoldRow } from '../capabilities/credit-packs.ts';
import { checksResult, defineEnvelope, filesResult, resultBases, resultParts } from '../capabilities/results.ts';
import { measurementBases, measurementParts } from '../capabilities/visibility-results.ts';
import { buildNamedSchemas, type JsonSchema, linkSchema } from '../lib/json-schema.ts';
import { toPascalCase } from '../lib/text.ts';
import { resultStandard } from '../results/standard.ts';
import { resultSummary, summaryParts, summaryShape } from '../results/summary-shape.ts';
import { partExamples } from './examples.ts';
import { schemaTexts } from './schema-texts-data.ts';

const sold: readonly SoldRow[] = [...catalog, ...panels, ...soldTools];

/** What several rows take or answer: described once, and the name of each row refers to it. */
const sharedBodies: Readonly<Record<string, z.ZodObject>> = {
  UrlBody: urlBody,
  PublishableBody: publishableBody,
  CreditsBody: packBody,
  PanelBody: panelBody,
};
const sharedResults: Readonly<Record<string, z.ZodObject>> = {
  ChecksResult: checksResult,
  FilesResult: filesResult,
  PanelResult: panelOutline,
  CreditsResult: packResult,
};

/** The larger first: a schema is described as those of them that it has all members of, and the rest. */
const bases = { ...measurementBases, ...resultBases, ResultMembers: z.object(summaryShape) };

const views = { ResultSummary: resultSummary, ResultStandard: resultStandard, ...summaryParts };

const formatBodyName = ({ name }: SoldRow): string => `${toPascalCase(name)}Body`;
const formatResultName = ({ name }: SoldRow): string => `${toPascalCase(name)}Result`;

/** The body that a row takes, by its name. */
export const linkBody = (row: SoldRow): { $ref: string } =>
  linkSchema(row.body === packBody ? 'CreditsBody' : row.body === panelBody ? 'PanelBody' : formatBodyName(row));
/** The answer to a purchase of a row, by its name. */
export const linkResult = (row: SoldRow): { $ref: string } => linkSchema(formatResultName(row));

/** The name of a result that several rows have. */
export const findSharedResult = ({ result }: SoldRow): string | undefined => findName(sharedResults, result);

/** A result in whichever view it was asked for. */
export const describeViews = (full: { $ref: string }) => ({ anyOf: [full, linkSchema('ShortResult')] });

/** Every figure of a panel, which the document has in outline: clients are generated with it. */
export function buildPanelSchema(): JsonSchema {
  const named = buildPartSchemas({
    ...bases,
    ...resultParts,
    ...measurementParts,
    ...views,
    PanelResult: defineEnvelope(panelResult),
  });
  return deriveFromBases(named)['PanelResult'] ?? {};
}

/** The schemas of what is sold: a body and a result of each row, and the parts that results share. */
export function buildSoldSchemas(): Record<string, JsonSchema> {
  const own = sold.filter(({ result }) => findName(sharedResults, result) === undefined);
  const envelopes = [
    ...Object.entries(sharedResults).map(([name, result]) => [name, defineEnvelope(result)] as const),
    ...own.map((row) => [formatResultName(row), defineEnvelope(row.result)] as const),
  ];
  return {
    ...buildBodySchemas(),
    ...deriveFromBases(
      buildPartSchemas({
        ...bases,
        ...resultParts,
        ...measurementParts,
        ...views,
        ...Object.fromEntries(envelopes),
      }),
    ),
    ...listAliases(sharedResults, formatResultName, ({ result }) => result),
  };
}

function buildPartSchemas(named: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  const schemas = buildNamedSchemas(named, schemaTexts);
  const withExamples = Object.entries(partExamples).map(([name, example]) => [
    name,
    { ...schemas[name], examples: [example] },
  ]);
  return { ...schemas, ...(Object.fromEntries(withExamples) as Record<string, JsonSchema>) };
}

const buildBodySchemas = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    Object.entries(sharedBodies).map(([name, body]) => [name, linkFields(buildBodySchema({ body }))]),
  ),
  ...Object.fromEntries(Object.entries(sharedFields).map(([name, { schema }]) => [name, schema])),
  ...Object.fromEntries(
    [...catalog, ...soldTools].map((row) => [formatBodyName(row), linkFields(buildBodySchema(row))]),
  ),
  ...listAliases(sharedBodies, formatBodyName, ({ body }) => body),
});

const readMembers = ({ properties = {} }: JsonSchema): JsonSchema => properties as JsonSchema;

/** Fields that several bodies have, by the name that they are described under. */
const questionSchemas = readMembers(buildBodySchema({ body: z.object(questionFields) }));
const sharedFields: Readonly<Record<string, { field: string; schema: JsonSchema }>> = Object.fromEntries(
  Object.entries({
    PromptLanguage: 'language',
    PromptSetName: 'prompt_set',
    PromptKind: 'kind',
    PromptLocal: 'local',
    OwnPrompts: 'prompts',
  }).map(([name, field]) => [name, { field, schema: Object(questionSchemas[field]) as JsonSchema }]),
);

/** A body whose shared fields refer to where they are described. */
function linkFields({ properties, ...body }: JsonSchema): JsonSchema {
  const links = Object.fromEntries(
    Object.entries(sharedFields).flatMap(([name, { field, schema }]) =>
      JSON.stringify(Object(properties)[field]) === JSON.stringify(schema) ? [[field, linkSchema(name)]] : [],
    ),
  );
  return { ...body, properties: { ...Object(properties), ...links } };
}

/** Panels are described in outline: every figure of theirs is in docs/reference/report-format.md. */
const findName = (shared: Readonly<Record<string, z.ZodType>>, schema: z.ZodType): string | undefined =>
  Object.keys(shared).find((name) => shared[name] === (schema === panelResult ? panelOutline : schema));

function listAliases(
  shared: Readonly<Record<string, z.ZodObject>>,
  nameOf: (row: SoldRow) => string,
  schemaOf: (row: SoldRow) => z.ZodObject,
): Record<string, JsonSchema> {
  // A panel is known by the name that all panels share.
  const aliases = catalog.flatMap((row) => {
    const name = findName(shared, schemaOf(row));
    return name === undefined ? [] : [[nameOf(row), linkSchema(name)] as const];
  });
  return Object.fromEntries(aliases);
}

/** Says of each schema that has all members of a base that it is that base and more. */
function deriveFromBases(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const derived = Object.entries(schemas).map(([name, schema]) => {
    const found = Object.keys(bases).filter((base) => base !== name && hasAllMembers(schema, schemas[base] ?? {}));
    return [name, found.length === 0 ? schema : describeAsMore(schema, found, schemas)] as const;
  });
  return Object.fromEntries(derived);
}

const readRequired = ({ required = [] }: JsonSchema): readonly string[] => required as readonly string[];

const hasAllMembers = (schema: JsonSchema, base: JsonSchema): boolean =>
  Object.entries(readMembers(base)).every(
    ([name, member]) =>
      JSON.stringify(readMembers(schema)[name]) === JSON.stringify(member) &&
      readRequired(schema).includes(name) === readRequired(base).includes(name),
  );

function describeAsMore(
  { description, ...schema }: JsonSchema,
  names: readonly string[],
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const inherited = new Set(names.flatMap((name) => Object.keys(readMembers(schemas[name] ?? {}))));
  const own = Object.entries(readMembers(schema)).filter(([name]) => !inherited.has(name));
  const required = readRequired(schema).filter((name) => !inherited.has(name));
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [
      ...names.map(linkSchema),
      ...(own.length === 0 ? [] : [{ type: 'object', properties: Object.fromEntries(own), required }]),
    ],
  };
}
