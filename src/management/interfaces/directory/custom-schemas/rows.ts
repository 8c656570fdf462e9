import { getMember, getTextMember, isObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../rows.ts';

const ID_BYTES = 16;

/** A fresh id of a schema, or of one of its fields: Base64, as the vendor's are. */
export const generateSchemaId = (context: Context): string =>
  `${btoa(context.random(ID_BYTES).slice(0, ID_BYTES)).replaceAll('=', '')}==`;

/** The schema that a key names: by id, or by name in any case. @throws Refusal 404 `Resource Not Found: schemaKey` */
export function requireSchema(key: string, { store }: Context): ResourceRow {
  const found =
    store.get(COLLECTIONS.schemas, '', key) ?? store.named(DIRECTORY_NAMESPACES.schema, key.toLowerCase())?.row;
  if (found === undefined) throw vendorRefusals.notFound('schemaKey');
  return found;
}

/** The fields of a stored schema. */
export const getSchemaFields = ({ body }: Pick<ResourceRow, 'body'>): JsonObject[] =>
  Array.isArray(body['fields']) ? body['fields'].filter(isObject) : [];

/** A custom field as its schema defines it. Its id ties values of users to it: a later field of the same name has another. */
export type CustomField = { id: string; fieldType: string; isMany: boolean; isPublic: boolean };
/** A custom schema by its own spelling; it is found without case. */
export type CustomSchema = { name: string; fields: ReadonlyMap<string, CustomField> };
export type SchemaReader = (schemaName: string) => CustomSchema | undefined;

/** What a user keeps of custom fields. `customFieldIds` (never shown) are the fields that the values belong to. */
export type CustomFieldValues = { customSchemas?: JsonObject; customFieldIds?: Json[] };

/** The custom schema of a name; undefined when there is none. One statement. */
export function findCustomSchema(schemaName: string, context: Context): CustomSchema | undefined {
  const found = context.store.named(DIRECTORY_NAMESPACES.schema, schemaName.toLowerCase());
  if (found === undefined) return undefined;
  return {
    name: getTextMember(found.row.body, 'schemaName'),
    fields: new Map(
      getSchemaFields(found.row).map((field) => [getTextMember(field, 'fieldName'), toCustomField(field)]),
    ),
  };
}

const toCustomField = (field: JsonObject): CustomField => ({
  id: getTextMember(field, 'fieldId'),
  fieldType: getTextMember(field, 'fieldType'),
  isMany: field['multiValued'] === true,
  isPublic: field['readAccessType'] !== 'ADMINS_AND_SELF',
});

/** The values that a user has of fields that are there still, by schema and field: those of deleted ones are gone with them. */
export function presentValues(body: JsonObject, schemaOf: SchemaReader): JsonObject {
  const { customSchemas } = body;
  if (!isObject(customSchemas)) return {};
  const ids = new Set(getCustomFieldIds(body));
  const present = Object.entries(customSchemas).flatMap(([schemaName, values]): [string, JsonObject][] => {
    const schema = schemaOf(schemaName);
    if (schema === undefined || !isObject(values)) return [];
    const own = Object.entries(values).filter(([name]) => ids.has(schema.fields.get(name)?.id ?? ''));
    return own.length === 0 ? [] : [[schemaName, Object.fromEntries(own)]];
  });
  return Object.fromEntries(present);
}

/** The values that a user has of one field. */
export function listFieldValues(body: JsonObject, schemaName: string, fieldName: string, field: CustomField): Json[] {
  if (!getCustomFieldIds(body).includes(field.id)) return [];
  const { customSchemas } = body;
  const values = isObject(customSchemas) ? getMember(customSchemas, schemaName) : undefined;
  const value = isObject(values) ? getMember(values, fieldName) : undefined;
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [value];
  return value.flatMap((entry) => (isObject(entry) ? (getMember(entry, 'value') ?? []) : entry));
}

function getCustomFieldIds(body: JsonObject): Json[] {
  const ids = getMember(body, 'customFieldIds');
  return Array.isArray(ids) ? ids : [];
}

/** What a user keeps of custom fields, as it is stored. */
export function readCustomValues(body: JsonObject): CustomFieldValues {
  const { customSchemas } = body;
  return isObject(customSchemas) ? { customSchemas, customFieldIds: getCustomFieldIds(body) } : {};
}
