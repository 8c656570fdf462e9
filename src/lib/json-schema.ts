import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** A schema of an OpenAPI document, by its name. */
export const linkSchema = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/**
 * JSON Schemas of answers, each under its name, that refer to each other by it. They allow members that they do not know:
 * clients of a path without a version meet new ones.
 * @param texts what each is, by its name
 */
export function buildNamedSchemas(
  named: Readonly<Record<string, z.ZodType>>,
  texts: Readonly<Record<string, string>> = {},
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => linkSchema(id).$ref,
    override: ({ jsonSchema }) => dropNoise(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...rest }]) => {
      const description = texts[name];
      return [name, description === undefined ? rest : { description, ...rest }];
    }),
  );
}

/** Nothing is counted below 0. */
const isCount = ({ type, minimum, maximum }: JsonSchema): boolean =>
  type === 'integer' && minimum === 0 && maximum === Number.MAX_SAFE_INTEGER;

/** A record of known keys is an object with these members. */
function convertRecord(schema: JsonSchema): void {
  const { propertyNames, additionalProperties, required } = schema;
  const { enum: names } = (propertyNames ?? {}) as { enum?: readonly string[] };
  if (names === undefined || required === undefined) return;
  delete schema['propertyNames'];
  delete schema['additionalProperties'];
  schema['properties'] = Object.fromEntries(names.map((name) => [name, additionalProperties]));
}

/** What says nothing to a reader of an answer: closed objects, the bounds of all integers, the type of a constant. */
function dropNoise(schema: JsonSchema): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if ('const' in schema) delete schema['type'];
  if (schema['additionalProperties'] !== undefined && Object.keys(Object(schema['properties'])).length === 0)
    delete schema['properties'];
  convertRecord(schema);
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER || isCount(schema)) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}
