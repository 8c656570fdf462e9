import { getTextMember, isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import type { SchemaField, Schema, Schemas } from '../table/method-row.ts';

/** An answer with its enums as numbers (`$alt=json;enum-encoding=int`). Enums whose numbers are not known stay names. */
export function withIntEnums(body: JsonObject, schemaName: string, schemas: Schemas): JsonObject {
  const schema = Object.hasOwn(schemas, schemaName) ? schemas[schemaName] : undefined;
  if (schema === undefined) return body;
  const converted = convertObjectEnums(body, schema, schemas);
  return schemaName === OPERATION ? withIntEnumsInside(converted, schemas) : converted;
}

const OPERATION = 'Operation';

/** What an operation made, and what is said of it, are messages whose `@type` names their schema. */
function withIntEnumsInside(operation: JsonObject, schemas: Schemas): JsonObject {
  const members = Object.entries(operation).map(([name, value]): [string, Json] => {
    const typeName = isObject(value) ? getTextMember(value, '@type') : '';
    if (!isObject(value) || typeName === '') return [name, value];
    return [name, withIntEnums(value, typeName.slice(typeName.lastIndexOf('.') + 1), schemas)];
  });
  return Object.fromEntries(members);
}

function convertObjectEnums(body: JsonObject, schema: Schema, schemas: Schemas): JsonObject {
  const members = Object.entries(body).map(([name, value]): [string, Json] => {
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined;
    return [name, field === undefined ? value : convertEnums(value, field, schemas)];
  });
  return Object.fromEntries(members);
}

function convertEnums(value: Json, field: SchemaField, schemas: Schemas): Json {
  if (typeof value === 'string') return findEnumNumber(value, field) ?? value;
  const { items, values, ref } = field;
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => convertEnums(item, items, schemas));
  if (!isObject(value)) return value;
  if (values !== undefined) {
    const members = Object.entries(value).map(([name, one]): [string, Json] => [
      name,
      convertEnums(one, values, schemas),
    ]);
    return Object.fromEntries(members);
  }
  return ref === undefined ? value : withIntEnums(value, ref, schemas);
}

const findEnumNumber = (name: string, field: SchemaField): number | undefined =>
  field.numbers?.[field.enum?.indexOf(name) ?? -1];
