import { extractEmailDomain, extractEmailLocalPart } from '../../../../lib/email.ts';
import { getMember, getTextMember, isObject, isText, type JsonObject } from '../../../../lib/json.ts';
import { rememberPerKey } from '../../../../lib/memo.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { Address, Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { type CustomSchema, findCustomSchema, presentValues } from '../custom-schemas/rows.ts';
import { MAX_DOMAIN_ALIASES } from '../customers/rows.ts';
import { getOrgUnitRowPath, ROOT_PATH } from '../org-units/rows.ts';
import { COLLECTIONS, generateDigits, listAliases, USER_ID_DIGITS } from '../rows.ts';
import { PUBLIC_FIELDS } from './fields-data.ts';

/** What holds of a user where a caller says nothing of it. */
export const WRITABLE_DEFAULTS = {
  suspended: false,
  archived: false,
  changePasswordAtNextLogin: false,
  ipWhitelisted: false,
  includeInGlobalAddressList: true,
} as const;

/** A user who was never here before, of what was written and what the server adds. */
export function buildNewUser(written: JsonObject, context: Context): { id: string; body: JsonObject } & Indexed {
  const id = generateDigits(context, USER_ID_DIGITS);
  const body: JsonObject = {
    id,
    isAdmin: false,
    isDelegatedAdmin: false,
    lastLoginTime: new Date(0).toISOString(),
    creationTime: new Date(context.now()).toISOString(),
    agreedToTerms: false,
    suspended: WRITABLE_DEFAULTS.suspended,
    archived: WRITABLE_DEFAULTS.archived,
    changePasswordAtNextLogin: WRITABLE_DEFAULTS.changePasswordAtNextLogin,
    ipWhitelisted: WRITABLE_DEFAULTS.ipWhitelisted,
    customerId: context.tenant.id,
    isMailboxSetup: false,
    isEnrolledIn2Sv: false,
    isEnforcedIn2Sv: false,
    includeInGlobalAddressList: WRITABLE_DEFAULTS.includeInGlobalAddressList,
    ...written,
  };
  return { id, body, ...buildUserIndex(body) };
}

/** What a user's row is sorted and found by. */
export function buildUserIndex(body: JsonObject): Indexed {
  const { name, orgUnitId } = body;
  const partOf = (part: string): string => (isObject(name) ? getTextMember(name, part).toLowerCase() : '');
  return {
    s1: getPrimaryEmail(body),
    s2: partOf('familyName'),
    s3: partOf('givenName'),
    ...(isText(orgUnitId) && { ref: orgUnitId }),
  };
}

/** Stores a changed body of a user. */
export const putUser = (row: Address, body: JsonObject, { store }: Context): ResourceRow =>
  store.put({ collection: row.collection, parent: row.parent, id: row.id, body, ...buildUserIndex(body) });

/** The primary address of a user, in lower case. */
export const getPrimaryEmail = (body: JsonObject): string => getTextMember(body, 'primaryEmail').toLowerCase();

/** Notifies the channels that watch users; for a renamed user also those that watch the old domain. */
export const reportUserChange = (
  context: Context,
  event: 'add' | 'delete' | 'makeAdmin' | 'undelete' | 'update',
  row: ResourceRow,
  before: ResourceRow = row,
): void => {
  const [primaryEmail, oldEmail] = [getPrimaryEmail(row.body), getPrimaryEmail(before.body)];
  const renamed = oldEmail === primaryEmail ? {} : { oldEmail };
  context.changed({ watched: 'users', event, user: { id: row.id, primaryEmail }, ...renamed });
};

/** Of a body, the members that have one of these names. */
export const pickFields = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));

/** A deleted user can come back for so long (the vendor's 20 days). */
export const UNDELETE_DAYS = 20;

/** Whether the time in which a deleted user can come back is over. */
export function isGone(row: ResourceRow, nowMs: number): boolean {
  const deletionTime = getMember(row.body, 'deletionTime');
  return !isText(deletionTime) || nowMs - Date.parse(deletionTime) > UNDELETE_DAYS * DAY_MS;
}

/** Shown members of a user that are made of others (`Collection.parts`). */
export const USER_PARTS = {
  customSchemas: ['customSchemas', 'customFieldIds'],
  emails: ['emails', 'primaryEmail', 'aliases'],
  nonEditableAliases: ['primaryEmail', 'aliases'],
  orgUnitPath: ['orgUnitId'],
  thumbnailPhotoUrl: ['thumbnailPhotoEtag', 'id'],
} as const;

/** A custom field mask names so many schemas at most; further ones are not looked at. */
const MAX_MASK_SCHEMAS = 100;
const NO_SCHEMA: CustomSchema = { name: '', fields: new Map() };

/**
 * How a call shows users: its projection of custom fields, and all fields or those that everybody in the domain may see.
 * One statement for each org unit and domain that is met, and for each schema that is shown; nothing is read twice.
 */
export function createUserView(
  call: Call,
  context: Context,
  isWanted: (member: string) => boolean,
): (row: ResourceRow) => JsonObject {
  const placeOf = rememberPerKey((key: string) => readUserPlace(key, context));
  const schemaOf = rememberPerKey((name: string) => findCustomSchema(name, context) ?? NO_SCHEMA);
  const isPublic = call.query['viewType'] === 'domain_public';
  const isShown = createSchemaFilter(call, context);
  const hasCustom = isWanted('customSchemas');
  const hasPlace = isWanted('orgUnitPath');
  const hasAddresses = isWanted('emails') || isWanted('nonEditableAliases');
  return ({ body }) => {
    const { orgUnitId: _, customSchemas: _values, customFieldIds: _ids, ...rest } = body;
    const place = hasPlace || hasAddresses ? placeOf(formatPlaceKey(body)) : undefined;
    const present = hasCustom ? presentValues(body, (name) => (isShown(name) ? schemaOf(name) : undefined)) : {};
    const custom = isPublic ? selectPublicValues(present, schemaOf) : present;
    const whole: JsonObject = {
      ...rest,
      ...(place && hasAddresses && buildAddressFields(body, place.aliasDomains)),
      ...(place && { orgUnitPath: place.orgUnitPath }),
      ...(body['thumbnailPhotoEtag'] !== undefined && { thumbnailPhotoUrl: buildPhotoUrl(body) }),
      ...(Object.keys(custom).length > 0 && { customSchemas: custom }),
    };
    return isPublic ? pickFields(whole, [...PUBLIC_FIELDS, 'customSchemas']) : whole;
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

/** Every address of a user: those that were written, the primary one, the aliases, and those in aliases of the domain. */
function buildAddressFields(body: JsonObject, aliasDomains: readonly string[]): JsonObject {
  const written = Array.isArray(body['emails']) ? body['emails'].filter(isObject) : [];
  const address = getTextMember(body, 'primaryEmail');
  const aliases = listAliases(body);
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
