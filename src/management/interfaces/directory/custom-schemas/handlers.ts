import { getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers } from '../../../core/engine/collection.ts';
import type { Handlers } from '../../../core/engine/operation.ts';
import { claimName, COLLECTIONS, defineCustomerCollection, DIRECTORY_NAMESPACES } from '../rows.ts';
import { generateSchemaId, getSchemaFields, requireSchema } from './rows.ts';
import { buildSchemaRow, requireSchemaName } from './schemas.ts';

/** Schemas of a customer. */
const MAX_SCHEMAS = 100;
const FIELD_KIND = 'admin#directory#schema#fieldspec';

/** Custom fields of users, in named schemas. A name stays as it is, because values of users hang on it. */
const schemas: Collection = {
  name: COLLECTIONS.schemas,
  schema: 'Schema',
  kind: 'admin#directory#schema',
  listKind: 'admin#directory#schemas',
  items: 'schemas',
  ...defineCustomerCollection('customerId', (path, context) => requireSchema(path['schemaKey'] ?? '', context)),
  order: () => ({ by: 's1' }),
  create: (_call, context, sent) => {
    if (context.store.count(COLLECTIONS.schemas, '') >= MAX_SCHEMAS)
      throw vendorRefusals.limitExceeded(`A customer has at most ${MAX_SCHEMAS} schemas`);
    const schemaName = requireSchemaName(sent);
    const schemaId = generateSchemaId(context);
    return { id: schemaId, ...buildSchemaRow({ ...sent, schemaId, schemaName }, [], context) };
  },
  inserted: (row, _call, context) =>
    claimName(DIRECTORY_NAMESPACES.schema, getTextMember(row.body, 'schemaName').toLowerCase(), row, context),
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

/** Custom schemas; the values that users have of them are written with the user. */
export const handlers: Handlers = defineCollectionHandlers(schemas, {
  list: 'directory.schemas.list',
  get: 'directory.schemas.get',
  insert: 'directory.schemas.insert',
  patch: 'directory.schemas.patch',
  update: 'directory.schemas.update',
  delete: 'directory.schemas.delete',
});
