import { defineCollectionHandlers, type Collection } from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../collections.ts';
import { requireCustomer } from '../keys.ts';
import { buildSchemaFields } from './schema-fields.ts';
import { requireShortTexts } from '../texts.ts';

/** Schemas of a customer. */
const MAX_SCHEMAS = 100;
const LIMITS = { displayName: 256 } as const;
const NAME = /^[A-Za-z0-9_-]{1,128}$/;
const ID_BYTES = 16;
const FIELD_KIND = 'admin#directory#schema#fieldspec';

/** Custom fields of users, in named schemas. A name stays as it is, because values of users hang on it. */
export const schemas: Collection = {
  name: COLLECTIONS.schemas,
  schema: 'Schema',
  kind: 'admin#directory#schema',
  listKind: 'admin#directory#schemas',
  items: 'schemas',
  parentOf: (call, context) => {
    requireCustomer(call.path['customerId'] ?? '', context);
    return '';
  },
  find: (call, context) => {
    requireCustomer(call.path['customerId'] ?? '', context);
    return requireSchema(call.path['schemaKey'] ?? '', context);
  },
  order: () => ({ by: 's1' }),
  create: (_call, context, sent) => {
    if (context.store.count(COLLECTIONS.schemas, '') >= MAX_SCHEMAS)
      throw vendorRefusals.limitExceeded(`A customer has at most ${MAX_SCHEMAS} schemas`);
    const schemaName = getTextMember(sent, 'schemaName');
    if (!NAME.test(schemaName)) throw vendorRefusals.invalidInput('schemaName');
    const schemaId = `${btoa(context.random(ID_BYTES).slice(0, ID_BYTES)).replaceAll('=', '')}==`;
    return { id: schemaId, ...buildSchemaRow({ ...sent, schemaId, schemaName }, [], context) };
  },
  inserted: (row, _call, { store }) => {
    if (!store.name(DIRECTORY_NAMESPACES.schema, getTextMember(row.body, 'schemaName').toLowerCase(), row))
      throw vendorRefusals.duplicate();
  },
  change: (before, sent, _call, context) => {
    const { schemaId = before.id, schemaName = '' } = before.body;
    const asked = getTextMember(sent, 'schemaName');
    if (asked !== '' && asked !== schemaName) throw vendorRefusals.invalidInput('schemaName');
    return buildSchemaRow({ ...sent, schemaId, schemaName }, getSchemaFields(before), context);
  },
  view: ({ body, revision }, _call, context) => {
    const etag = context.etagOf(revision);
    const fields = getSchemaFields({ body }).map((field) => ({ kind: FIELD_KIND, etag, ...field }));
    return { ...body, fields };
  },
};

export const schemaHandlers: Handlers = defineCollectionHandlers(schemas, {
  list: 'directory.schemas.list',
  get: 'directory.schemas.get',
  insert: 'directory.schemas.insert',
  patch: 'directory.schemas.patch',
  update: 'directory.schemas.update',
  delete: 'directory.schemas.delete',
});

function requireSchema(key: string, { store }: Context): ResourceRow {
  const found =
    store.get(COLLECTIONS.schemas, '', key) ?? store.named(DIRECTORY_NAMESPACES.schema, key.toLowerCase())?.row;
  if (found === undefined) throw vendorRefusals.notFound('schemaKey');
  return found;
}

function buildSchemaRow(
  body: JsonObject,
  before: readonly JsonObject[],
  context: Context,
): { body: JsonObject } & Indexed {
  requireShortTexts(body, LIMITS);
  const displayName = getTextMember(body, 'displayName') || getTextMember(body, 'schemaName');
  const fields = buildSchemaFields(body['fields'], before, context);
  return { body: { ...body, displayName, fields }, s1: getTextMember(body, 'schemaName').toLowerCase() };
}

const getSchemaFields = ({ body }: Pick<ResourceRow, 'body'>): JsonObject[] =>
  Array.isArray(body['fields']) ? body['fields'].filter(isObject) : [];
