import type { Call, Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { COLLECTIONS } from '../collections.ts';
import { extractEmailDomain, extractEmailLocalPart } from '../keys.ts';
import { getOrgUnitRowPath, ROOT_PATH } from '../org-units/org-unit-keys.ts';
import { PUBLIC_FIELDS } from './fields-data.ts';
import { listUserAliases } from './rows.ts';
import { findCustomSchema, presentValues, type CustomSchema } from '../schemas/user-schemas.ts';

/** A custom field mask names so many schemas at most; further ones are not looked at. */
const MAX_MASK_SCHEMAS = 100;
const MAX_DOMAIN_ALIASES = 50;
const NO_SCHEMA: CustomSchema = { name: '', fields: new Map() };

/**
 * How a call shows users: its projection of custom fields, and all fields or those that everybody in the domain may see.
 * One statement for each org unit and domain that is met, and for each schema that is shown; nothing is read twice.
 */
export function createUserView(call: Call, context: Context): (row: ResourceRow) => JsonObject {
  const placeOf = createCachedReader((key: string) => readUserPlace(key, context));
  const schemaOf = createCachedReader((name: string) => findCustomSchema(name, context) ?? NO_SCHEMA);
  const isPublic = call.query['viewType'] === 'domain_public';
  const isShown = createSchemaFilter(call, context);
  return ({ body }) => {
    const { orgUnitId: _, customSchemas: _values, customFieldIds: _ids, ...rest } = body;
    const { orgUnitPath, aliasDomains } = placeOf(formatPlaceKey(body));
    const present = presentValues(body, (name) => (isShown(name) ? schemaOf(name) : undefined));
    const custom = isPublic ? selectPublicValues(present, schemaOf) : present;
    const whole: JsonObject = {
      ...rest,
      ...buildAddressFields(body, aliasDomains),
      orgUnitPath,
      ...(body['thumbnailPhotoEtag'] !== undefined && { thumbnailPhotoUrl: buildPhotoUrl(body) }),
      ...(Object.keys(custom).length > 0 && { customSchemas: custom }),
    };
    return isPublic ? selectPublicFields(whole) : whole;
  };
}

function createCachedReader<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

/** What other rows know about a user: the present path of the org unit, and the other names of the domain. */
type Place = { orgUnitPath: string; aliasDomains: string[] };

/** Org unit (none for the root) and domain of a user. */
const formatPlaceKey = (body: JsonObject): string =>
  `${getTextMember(body, 'orgUnitId')} ${extractEmailDomain(getTextMember(body, 'primaryEmail'))}`;

function readUserPlace(key: string, { store }: Context): Place {
  const [id = '', domain = ''] = key.split(' ');
  const unit = { collection: COLLECTIONS.orgUnits, parent: '', id };
  const { row, refs } = store.withRef(unit, COLLECTIONS.domainAliases, domain, MAX_DOMAIN_ALIASES);
  return {
    orgUnitPath: row === undefined ? ROOT_PATH : getOrgUnitRowPath(row),
    aliasDomains: refs.map((alias) => alias.id),
  };
}

/** Which custom schemas are shown: none by default where there is a projection; all in the answers of writing methods. */
function createSchemaFilter(call: Call, context: Context): (schema: string) => boolean {
  if (context.row.parameters['projection'] === undefined) return () => true;
  const { projection, customFieldMask } = call.query;
  if (projection === 'full') return () => true;
  if (projection !== 'custom') return () => false;
  const mask = isText(customFieldMask) ? customFieldMask.split(',').slice(0, MAX_MASK_SCHEMAS) : [];
  const wanted = new Set(mask.map((name) => name.trim().toLowerCase()));
  return (schema) => wanted.has(schema.toLowerCase());
}

/** Without the fields that only administrators and the user see. */
function selectPublicValues(present: JsonObject, schemaOf: (name: string) => CustomSchema): JsonObject {
  const shown = Object.entries(present).map(([schemaName, values]): [string, JsonObject] => {
    const { fields } = schemaOf(schemaName);
    const own = Object.entries(isObject(values) ? values : {});
    return [schemaName, Object.fromEntries(own.filter(([name]) => fields.get(name)?.isPublic === true))];
  });
  return Object.fromEntries(shown);
}

const selectPublicFields = (body: JsonObject): JsonObject => {
  const names = [...PUBLIC_FIELDS, 'customSchemas'];
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
};

/** Every address of a user: those that were written, the primary one, the aliases, and those in aliases of the domain. */
function buildAddressFields(body: JsonObject, aliasDomains: readonly string[]): JsonObject {
  const written = Array.isArray(body['emails']) ? body['emails'].filter(isObject) : [];
  const address = getTextMember(body, 'primaryEmail');
  const aliases = listUserAliases(body);
  const derived = aliasDomains.map((domain) => `${extractEmailLocalPart(address)}@${domain}`);
  const nonEditableAliases = derived.filter((each) => !aliases.includes(each));
  const others = [...aliases, ...nonEditableAliases].map((each) => ({ address: each }));
  return {
    emails: [...written, { address, primary: true }, ...others],
    ...(nonEditableAliases.length > 0 && { nonEditableAliases }),
  };
}

/** Where the photo is read, on the origin that serves this interface. */
const buildPhotoUrl = (body: JsonObject): string =>
  `/admin/directory/v1/users/${getTextMember(body, 'id')}/photos/thumbnail`;
