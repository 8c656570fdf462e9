import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** A schema of an OpenAPI document, by its name. */
export const refToSchema = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

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
    uri: (id) => refToSchema(id).$ref,
    override: ({ jsonSchema }) => dropNoise(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...rest }]) => {
      const description = texts[name];
      return [name, description === undefined ? rest : { description, ...rest }];
    }),
  );
}

/** What says nothing to a reader of an answer: closed objects, and the bounds of all integers. */
function dropNoise(schema: JsonSchema): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}
