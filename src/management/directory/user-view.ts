import type { Call, Context } from '../engine/operation.ts';
import type { StoredRow } from '../engine/resources.ts';
import { isObject, isText, type JsonObject } from '../json.ts';
import { COLLECTIONS } from './collections.ts';
import { domainOf } from './keys.ts';
import { pathOf, ROOT_PATH } from './org-unit-keys.ts';
import { PUBLIC_FIELDS } from './user-fields-data.ts';
import { textOf } from './texts.ts';
import { aliasesOf } from './user-rows.ts';
import { customFieldsOf, type CustomField } from './user-schemas.ts';

/** A custom field mask names so many schemas at most; further ones are not looked at. */
const MAX_MASK_SCHEMAS = 100;
const MAX_DOMAIN_ALIASES = 50;

/**
 * How a call shows users: its projection of custom fields, and all fields or those that everybody in the domain may see.
 * One statement for each org unit and domain that is met, and for each schema in the public view; nothing is read twice.
 */
export function userViewer(call: Call, context: Context): (row: StoredRow) => JsonObject {
  const placeOf = remembered((key: string) => placeIn(key, context));
  const fieldsOf = remembered((schema: string) => customFieldsOf(schema, context) ?? new Map<string, CustomField>());
  const isPublic = call.query['viewType'] === 'domain_public';
  const isShown = schemaFilter(call, context);
  return ({ body }) => {
    const { orgUnitId: _, customSchemas, ...rest } = body;
    const { orgUnitPath, aliasDomains } = placeOf(placeKey(body));
    const custom = isObject(customSchemas)
      ? Object.fromEntries(
          Object.entries(customSchemas)
            .filter(([schema]) => isShown(schema))
            .map(([schema, values]) => [schema, isPublic ? publicValues(values, fieldsOf(schema)) : values]),
        )
      : {};
    const whole: JsonObject = {
      ...rest,
      ...addressesOf(body, aliasDomains),
      orgUnitPath,
      ...(body['thumbnailPhotoEtag'] !== undefined && { thumbnailPhotoUrl: photoUrlOf(body) }),
      ...(Object.keys(custom).length > 0 && { customSchemas: custom }),
    };
    return isPublic ? publicPart(whole) : whole;
  };
}

function remembered<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

/** What stands in other rows about a user: the present path of the org unit, and the other names of the domain. */
type Place = { orgUnitPath: string; aliasDomains: string[] };

/** Org unit (none for the root) and domain of a user. */
const placeKey = (body: JsonObject): string => `${textOf(body, 'orgUnitId')} ${domainOf(textOf(body, 'primaryEmail'))}`;

function placeIn(key: string, { store }: Context): Place {
  const [id = '', domain = ''] = key.split(' ');
  const unit = { collection: COLLECTIONS.orgUnits, parent: '', id };
  const { row, refs } = store.withRef(unit, COLLECTIONS.domainAliases, domain, MAX_DOMAIN_ALIASES);
  return { orgUnitPath: row === undefined ? ROOT_PATH : pathOf(row), aliasDomains: refs.map((alias) => alias.id) };
}

/** Which custom schemas are shown: none by default where there is a projection; all in the answers of writing methods. */
function schemaFilter(call: Call, context: Context): (schema: string) => boolean {
  if (context.row.parameters['projection'] === undefined) return () => true;
  const { projection, customFieldMask } = call.query;
  if (projection === 'full') return () => true;
  if (projection !== 'custom') return () => false;
  const mask = isText(customFieldMask) ? customFieldMask.split(',').slice(0, MAX_MASK_SCHEMAS) : [];
  const wanted = new Set(mask.map((name) => name.trim()));
  return (schema) => wanted.has(schema);
}

function publicValues(values: unknown, fields: Map<string, CustomField>): JsonObject {
  if (!isObject(values)) return {};
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields.get(name)?.isPublic === true));
}

const publicPart = (body: JsonObject): JsonObject => {
  const names = [...PUBLIC_FIELDS, 'customSchemas'];
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
};

/** Every address of a user: those that were written, the primary one, the aliases, and those in aliases of the domain. */
function addressesOf(body: JsonObject, aliasDomains: readonly string[]): JsonObject {
  const written = Array.isArray(body['emails']) ? body['emails'].filter(isObject) : [];
  const address = textOf(body, 'primaryEmail');
  const nonEditableAliases = aliasDomains.map((domain) => `${address.slice(0, address.lastIndexOf('@'))}@${domain}`);
  const others = [...aliasesOf(body), ...nonEditableAliases].map((each) => ({ address: each }));
  return {
    emails: [...written, { address, primary: true }, ...others],
    ...(nonEditableAliases.length > 0 && { nonEditableAliases }),
  };
}

/** Where the photo is read, on the origin that serves this interface. */
const photoUrlOf = (body: JsonObject): string => `/admin/directory/v1/users/${textOf(body, 'id')}/photos/thumbnail`;
