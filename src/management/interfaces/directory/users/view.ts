import type { Call, Context } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, type JsonObject } from '../../../../lib/json.ts';
import { COLLECTIONS } from '../collections.ts';
import { domainOf, localPartOf } from '../keys.ts';
import { pathOf, ROOT_PATH } from '../org-units/org-unit-keys.ts';
import { PUBLIC_FIELDS } from './fields-data.ts';
import { textOf } from '../texts.ts';
import { aliasesOf } from './rows.ts';
import { customSchemaOf, presentValues, type CustomSchema } from '../schemas/user-schemas.ts';

/** A custom field mask names so many schemas at most; further ones are not looked at. */
const MAX_MASK_SCHEMAS = 100;
const MAX_DOMAIN_ALIASES = 50;
const NO_SCHEMA: CustomSchema = { name: '', fields: new Map() };

/**
 * How a call shows users: its projection of custom fields, and all fields or those that everybody in the domain may see.
 * One statement for each org unit and domain that is met, and for each schema that is shown; nothing is read twice.
 */
export function userViewer(call: Call, context: Context): (row: StoredRow) => JsonObject {
  const placeOf = remembered((key: string) => placeIn(key, context));
  const schemaOf = remembered((name: string) => customSchemaOf(name, context) ?? NO_SCHEMA);
  const isPublic = call.query['viewType'] === 'domain_public';
  const isShown = schemaFilter(call, context);
  return ({ body }) => {
    const { orgUnitId: _, customSchemas: _values, customFieldIds: _ids, ...rest } = body;
    const { orgUnitPath, aliasDomains } = placeOf(placeKey(body));
    const present = presentValues(body, (name) => (isShown(name) ? schemaOf(name) : undefined));
    const custom = isPublic ? publicValues(present, schemaOf) : present;
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
  const wanted = new Set(mask.map((name) => name.trim().toLowerCase()));
  return (schema) => wanted.has(schema.toLowerCase());
}

/** Without the fields that only administrators and the user see. */
function publicValues(present: JsonObject, schemaOf: (name: string) => CustomSchema): JsonObject {
  const shown = Object.entries(present).map(([schemaName, values]): [string, JsonObject] => {
    const { fields } = schemaOf(schemaName);
    const own = Object.entries(isObject(values) ? values : {});
    return [schemaName, Object.fromEntries(own.filter(([name]) => fields.get(name)?.isPublic === true))];
  });
  return Object.fromEntries(shown);
}

const publicPart = (body: JsonObject): JsonObject => {
  const names = [...PUBLIC_FIELDS, 'customSchemas'];
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
};

/** Every address of a user: those that were written, the primary one, the aliases, and those in aliases of the domain. */
function addressesOf(body: JsonObject, aliasDomains: readonly string[]): JsonObject {
  const written = Array.isArray(body['emails']) ? body['emails'].filter(isObject) : [];
  const address = textOf(body, 'primaryEmail');
  const aliases = aliasesOf(body);
  const derived = aliasDomains.map((domain) => `${localPartOf(address)}@${domain}`);
  const nonEditableAliases = derived.filter((each) => !aliases.includes(each));
  const others = [...aliases, ...nonEditableAliases].map((each) => ({ address: each }));
  return {
    emails: [...written, { address, primary: true }, ...others],
    ...(nonEditableAliases.length > 0 && { nonEditableAliases }),
  };
}

/** Where the photo is read, on the origin that serves this interface. */
const photoUrlOf = (body: JsonObject): string => `/admin/directory/v1/users/${textOf(body, 'id')}/photos/thumbnail`;
