import { compareTexts } from '../../../../lib/text.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { buildHoldingPattern } from '../../../core/engine/narrowed-source.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { type CustomField, findCustomSchema, listFieldValues } from '../custom-schemas/rows.ts';
import { hasForm } from '../custom-schemas/schemas.ts';
import { listDerivedAddresses } from '../customers/rows.ts';
import { normaliseOrgUnitPath, readOrgUnitPath } from '../org-units/rows.ts';
import { refuseSearch } from '../refusals.ts';
import { COLLECTIONS, findAddressHolder, listAliases } from '../rows.ts';
import { isEmail } from '../schemas.ts';
import { SEARCH_FIELDS, type SearchField } from './fields-data.ts';
import type { Clause } from './query.ts';
import { getPrimaryEmail } from './rows.ts';

/** Whether a user is asked for. */
export type UserTest = (row: ResourceRow) => boolean;

/**
 * The test whether a user matches a clause.
 * @throws Refusal for an unknown field, or an operator or value that the field does not take
 */
export function createUserTest(clause: Clause, context: Context): UserTest {
  const { field } = clause;
  if (field.includes('.')) return createCustomTest(clause, context);
  if (!Object.hasOwn(SEARCH_FIELDS, field)) throw refuseSearch();
  const known = SEARCH_FIELDS[field];
  if (known === undefined) throw refuseSearch();
  return createFieldTest(clause, known, context);
}

function createFieldTest(clause: Clause, known: SearchField, context: Context): UserTest {
  if (known.kind === 'orgUnit') return createOrgUnitTest(clause, context);
  if (known.kind === 'manager') return createManagerTest(clause, known, context);
  if (known.kind === 'flag') {
    const wanted = parseFlag(clause);
    return ({ body }) =>
      listValues(body, known.paths).some((value) => value === wanted) || (!wanted && isUnset(body, known.paths));
  }
  if (known.kind === 'email' && isEmail(clause.text)) return createAddressTest(clause.text, known.paths, context);
  const fits = createTextTest(clause);
  return ({ body }) => listValues(body, known.paths).some((value) => isText(value) && fits(value));
}

/**
 * Patterns of LIKE that the stored body of every user matches who fits the clauses: none for a clause that compares no text.
 * Custom values are left out, since a field may be renamed.
 */
export const listUserPatterns = (clauses: readonly Clause[]): string[] =>
  clauses.flatMap((clause) => {
    const known = Object.hasOwn(SEARCH_FIELDS, clause.field) ? SEARCH_FIELDS[clause.field] : undefined;
    const isOfText = known?.kind === 'text' || (known?.kind === 'email' && !isEmail(clause.text));
    if (!isOfText) return [];
    const members = new Set(known.paths.map((path) => path.split('.')[0]));
    const [member] = members;
    return buildHoldingPattern(clause.text, members.size === 1 ? member : undefined) ?? [];
  });

/** Who has an address, be it in an alias of the domain; of deleted users, who had it. */
function createAddressTest(address: string, paths: readonly string[], context: Context): UserTest {
  const holder = findAddressHolder(address, context);
  const fits = createEqualTest(address);
  return ({ id, body }) => id === holder?.id || listValues(body, paths).some((value) => isText(value) && fits(value));
}

const isUnset = (body: JsonObject, paths: readonly string[]): boolean => listValues(body, paths).length === 0;

/** What a clause wants a flag to be. @throws Refusal */
export function parseFlag({ operator, text, isPrefix }: Clause): boolean {
  const word = text.toLowerCase();
  if (operator !== '=' || isPrefix || (word !== 'true' && word !== 'false')) throw refuseSearch();
  return word === 'true';
}

/** All values at the paths: of a list, those of each of its entries. */
function listValues(body: JsonObject, paths: readonly string[]): Json[] {
  return paths.flatMap((path) => {
    const [first = '', second] = path.split('.');
    const value = body[first];
    const entries = value === undefined ? [] : [value].flat();
    return second === undefined ? entries : entries.flatMap((entry) => (isObject(entry) ? (entry[second] ?? []) : []));
  });
}

/** `=` is the whole text, `:` its words in this order, `:text*` its beginning; case never counts. */
function createTextTest({ operator, text, isPrefix, field }: Clause): (value: string) => boolean {
  if (operator !== '=' && operator !== ':') throw refuseSearch();
  if (operator === '=') return createEqualTest(text);
  const start = text.toLowerCase();
  if (isPrefix || field === '') return (value) => value.toLowerCase().startsWith(start);
  const wanted = ` ${normaliseWords(text)} `;
  return wanted.trim() === '' ? createEqualTest(text) : (value) => ` ${normaliseWords(value)} `.includes(wanted);
}

const createEqualTest =
  (text: string) =>
  (value: string): boolean =>
    value.toLowerCase() === text.toLowerCase();

const normaliseWords = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** An org unit or any below it. */
function createOrgUnitTest({ operator, text }: Clause, context: Context): UserTest {
  if (operator !== '=' && operator !== ':') throw refuseSearch();
  const wanted = normaliseOrgUnitPath(text);
  const paths = new Map<string, string>();
  return ({ body }) => {
    const { orgUnitId } = body;
    if (wanted === '/') return true;
    if (!isText(orgUnitId)) return false;
    const path = paths.get(orgUnitId) ?? normaliseOrgUnitPath(readOrgUnitPath(orgUnitId, context));
    paths.set(orgUnitId, path);
    return path === wanted || path.startsWith(`${wanted}/`);
  };
}

function createCustomTest(clause: Clause, context: Context): UserTest {
  const [schemaName = '', fieldName = ''] = clause.field.split('.');
  const schema = findCustomSchema(schemaName, context);
  const field = schema?.fields.get(fieldName);
  if (schema === undefined || field === undefined) throw refuseSearch();
  const fits = createCustomValueTest(clause, field);
  return ({ body }) => listFieldValues(body, schema.name, fieldName, field).some(fits);
}

function createCustomValueTest(clause: Clause, { fieldType }: CustomField): (value: Json) => boolean {
  if (fieldType === 'BOOL') {
    const wanted = parseFlag(clause);
    return (value) => value === wanted;
  }
  if (fieldType !== 'INT64' && fieldType !== 'DOUBLE' && fieldType !== 'DATE') {
    const fits = createTextTest(clause);
    return (value) => isText(value) && fits(value);
  }
  const { operator, text, isPrefix } = clause;
  if (isPrefix || operator === ':' || !FORMS[fieldType].test(text)) throw refuseSearch();
  return (value) => {
    const stored = typeof value === 'number' ? String(value) : value;
    return (
      isText(stored) &&
      hasForm(stored, fieldType) &&
      isComparisonTrue(compareFieldValues(stored, text, fieldType), operator)
    );
  };
}

const FORMS = {
  INT64: /^-?[0-9]{1,19}$/,
  DOUBLE: /^-?[0-9]{1,40}(?:\.[0-9]{1,40})?$/,
  DATE: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
} as const;

/** Below, equal or above 0, as `a` is to `b`. */
function compareFieldValues(a: string, b: string, fieldType: keyof typeof FORMS): number {
  if (fieldType === 'DOUBLE') return Number(a) - Number(b);
  if (fieldType === 'DATE') return compareTexts(a, b);
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : Number(left > right);
}

function isComparisonTrue(order: number, operator: Exclude<Clause['operator'], ':'>): boolean {
  if (operator === '=') return order === 0;
  if (operator === '<') return order < 0;
  if (operator === '>') return order > 0;
  return operator === '<=' ? order <= 0 : order >= 0;
}

/** So many managers up a chain are looked at. */
const MAX_CHAIN = 20;

/**
 * The test whether a user has a manager: directly, or with `chain` further up as well. Managers are the `relations` of
 * the type `manager`, by address. Each manager is read once per search.
 */
function createManagerTest(
  { operator, text, isPrefix }: Clause,
  { chain, byId }: { chain: boolean; byId: boolean },
  context: Context,
): (row: ResourceRow) => boolean {
  if (isPrefix || (operator !== '=' && operator !== ':')) throw refuseSearch();
  const wanted = listManagerAddresses(text, byId, context);
  const known = new Map<string, string[]>();
  const above = (address: string): string[] => {
    const managers = known.get(address) ?? listManagers(findUserByAddress(address, context)?.body ?? {});
    known.set(address, managers);
    return managers;
  };
  return ({ body }) => {
    const seen = new Set<string>();
    let managers = listManagers(body);
    for (let step = 0; step < MAX_CHAIN && managers.length > 0; step += 1) {
      if (managers.some((address) => wanted.has(address))) return true;
      if (!chain) return false;
      for (const address of managers) seen.add(address);
      managers = managers.flatMap(above).filter((address) => !seen.has(address));
    }
    return false;
  };
}

const findUserByAddress = (address: string, context: Context): ResourceRow | undefined => {
  const row = findAddressHolder(address, context);
  return row?.collection === COLLECTIONS.users ? row : undefined;
};

/** All addresses of the manager that is asked for, those in aliases of their domains too; the address itself when there is no such user. */
function listManagerAddresses(text: string, byId: boolean, context: Context): Set<string> {
  const user = byId ? context.store.get(COLLECTIONS.users, '', text) : findUserByAddress(text.toLowerCase(), context);
  if (user !== undefined) {
    const own = [getPrimaryEmail(user.body), ...listAliases(user.body)];
    return new Set(own.flatMap((address) => [address, ...listDerivedAddresses(address, context)]));
  }
  return new Set(byId ? [] : [text.toLowerCase()]);
}

function listManagers({ relations }: JsonObject): string[] {
  if (!Array.isArray(relations)) return [];
  return relations.flatMap((entry) =>
    isObject(entry) && entry['type'] === 'manager' && isText(entry['value']) ? [entry['value'].toLowerCase()] : [],
  );
}
