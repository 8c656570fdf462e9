import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS } from '../collections.ts';
import { derivedAddresses } from '../customers/alias-domains.ts';
import { holderOf, isEmail } from '../keys.ts';
import { orgUnitPathOf, pathKey } from '../org-units/org-unit-keys.ts';
import { type CustomField, customSchemaOf, hasForm, valuesOfField } from '../schemas/user-schemas.ts';
import { SEARCH_FIELDS, type SearchField } from './fields-data.ts';
import { badQuery, type Clause } from './query.ts';
import { aliasesOf, emailOf } from './rows.ts';

/** So many managers up a chain are looked at. */
const MAX_CHAIN = 20;

/**
 * Tells whether somebody manages a user: directly, or with `chain` from further up. Managers are the `relations` of
 * the type `manager`, by address. Each manager is read once in a search.
 */
function managerTest(
  { operator, text, isPrefix }: Clause,
  { chain, byId }: { chain: boolean; byId: boolean },
  context: Context,
): (row: StoredRow) => boolean {
  if (isPrefix || (operator !== '=' && operator !== ':')) throw badQuery();
  const wanted = addressesOf(text, byId, context);
  const known = new Map<string, string[]>();
  const above = (address: string): string[] => {
    const managers = known.get(address) ?? managersOf(userAt(address, context)?.body ?? {});
    known.set(address, managers);
    return managers;
  };
  return ({ body }) => {
    const seen = new Set<string>();
    let managers = managersOf(body);
    for (let step = 0; step < MAX_CHAIN && managers.length > 0; step += 1) {
      if (managers.some((address) => wanted.has(address))) return true;
      if (!chain) return false;
      for (const address of managers) seen.add(address);
      managers = managers.flatMap(above).filter((address) => !seen.has(address));
    }
    return false;
  };
}

const userAt = (address: string, context: Context): StoredRow | undefined => {
  const row = holderOf(address, context);
  return row?.collection === COLLECTIONS.users ? row : undefined;
};

/** All addresses of the manager that is asked for, those in aliases of their domains too; the address itself when there is no such user. */
function addressesOf(text: string, byId: boolean, context: Context): Set<string> {
  const user = byId ? context.store.get(COLLECTIONS.users, '', text) : userAt(text.toLowerCase(), context);
  if (user !== undefined) {
    const own = [emailOf(user.body), ...aliasesOf(user.body)];
    return new Set(own.flatMap((address) => [address, ...derivedAddresses(address, context)]));
  }
  return new Set(byId ? [] : [text.toLowerCase()]);
}

function managersOf({ relations }: JsonObject): string[] {
  if (!Array.isArray(relations)) return [];
  return relations.flatMap((entry) =>
    isObject(entry) && entry['type'] === 'manager' && isText(entry['value']) ? [entry['value'].toLowerCase()] : [],
  );
}

export type UserTest = (row: StoredRow) => boolean;

/** Tells whether a user fits a clause. @throws Refusal for an unknown field, or an operator or value that the field does not take */
export function userTest(clause: Clause, context: Context): UserTest {
  const { field } = clause;
  if (field.includes('.')) return customTest(clause, context);
  if (!Object.hasOwn(SEARCH_FIELDS, field)) throw badQuery();
  const known = SEARCH_FIELDS[field];
  if (known === undefined) throw badQuery();
  return fieldTest(clause, known, context);
}

function fieldTest(clause: Clause, known: SearchField, context: Context): UserTest {
  if (known.kind === 'orgUnit') return orgUnitTest(clause, context);
  if (known.kind === 'manager') return managerTest(clause, known, context);
  if (known.kind === 'flag') {
    const wanted = flagOf(clause);
    return ({ body }) =>
      valuesAt(body, known.paths).some((value) => value === wanted) || (!wanted && isUnset(body, known.paths));
  }
  if (known.kind === 'email' && isEmail(clause.text)) return addressTest(clause.text, known.paths, context);
  const fits = textTest(clause);
  return ({ body }) => valuesAt(body, known.paths).some((value) => isText(value) && fits(value));
}

/** Who has an address, be it in an alias of the domain; of deleted users, who had it. */
function addressTest(address: string, paths: readonly string[], context: Context): UserTest {
  const holder = holderOf(address, context);
  const fits = equals(address);
  return ({ id, body }) => id === holder?.id || valuesAt(body, paths).some((value) => isText(value) && fits(value));
}

const isUnset = (body: JsonObject, paths: readonly string[]): boolean => valuesAt(body, paths).length === 0;

function flagOf({ operator, text, isPrefix }: Clause): boolean {
  const word = text.toLowerCase();
  if (operator !== '=' || isPrefix || (word !== 'true' && word !== 'false')) throw badQuery();
  return word === 'true';
}

/** All values at the paths: of a list, those of each of its entries. */
function valuesAt(body: JsonObject, paths: readonly string[]): Json[] {
  return paths.flatMap((path) => {
    const [first = '', second] = path.split('.');
    const value = body[first];
    const entries = value === undefined ? [] : [value].flat();
    return second === undefined ? entries : entries.flatMap((entry) => (isObject(entry) ? (entry[second] ?? []) : []));
  });
}

/** `=` is the whole text, `:` its words in this order, `:text*` its beginning; case never counts. */
export function textTest({ operator, text, isPrefix, field }: Clause): (value: string) => boolean {
  if (operator !== '=' && operator !== ':') throw badQuery();
  if (operator === '=') return equals(text);
  const start = text.toLowerCase();
  if (isPrefix || field === '') return (value) => value.toLowerCase().startsWith(start);
  const wanted = ` ${wordsOf(text)} `;
  return wanted.trim() === '' ? equals(text) : (value) => ` ${wordsOf(value)} `.includes(wanted);
}

const equals =
  (text: string) =>
  (value: string): boolean =>
    value.toLowerCase() === text.toLowerCase();

const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** An org unit or any below it. */
function orgUnitTest({ operator, text }: Clause, context: Context): UserTest {
  if (operator !== '=' && operator !== ':') throw badQuery();
  const wanted = pathKey(text);
  const paths = new Map<string, string>();
  return ({ body }) => {
    const { orgUnitId } = body;
    if (wanted === '/') return true;
    if (!isText(orgUnitId)) return false;
    const path = paths.get(orgUnitId) ?? pathKey(orgUnitPathOf(orgUnitId, context));
    paths.set(orgUnitId, path);
    return path === wanted || path.startsWith(`${wanted}/`);
  };
}

function customTest(clause: Clause, context: Context): UserTest {
  const [schemaName = '', fieldName = ''] = clause.field.split('.');
  const schema = customSchemaOf(schemaName, context);
  const field = schema?.fields.get(fieldName);
  if (schema === undefined || field === undefined) throw badQuery();
  const fits = customValueTest(clause, field);
  return ({ body }) => valuesOfField(body, schema.name, fieldName, field).some(fits);
}

function customValueTest(clause: Clause, { fieldType }: CustomField): (value: Json) => boolean {
  if (fieldType === 'BOOL') {
    const wanted = flagOf(clause);
    return (value) => value === wanted;
  }
  if (fieldType !== 'INT64' && fieldType !== 'DOUBLE' && fieldType !== 'DATE') {
    const fits = textTest(clause);
    return (value) => isText(value) && fits(value);
  }
  const { operator, text, isPrefix } = clause;
  if (isPrefix || operator === ':' || !FORMS[fieldType].test(text)) throw badQuery();
  return (value) => {
    const stored = typeof value === 'number' ? String(value) : value;
    return isText(stored) && hasForm(stored, fieldType) && holds(compared(stored, text, fieldType), operator);
  };
}

const FORMS = {
  INT64: /^-?[0-9]{1,19}$/,
  DOUBLE: /^-?[0-9]{1,40}(?:\.[0-9]{1,40})?$/,
  DATE: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
} as const;

/** Below, equal or above 0, as `a` is to `b`. */
function compared(a: string, b: string, fieldType: keyof typeof FORMS): number {
  if (fieldType === 'DOUBLE') return Number(a) - Number(b);
  if (fieldType === 'DATE') return a < b ? -1 : Number(a > b);
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : Number(left > right);
}

function holds(order: number, operator: Exclude<Clause['operator'], ':'>): boolean {
  if (operator === '=') return order === 0;
  if (operator === '<') return order < 0;
  if (operator === '>') return order > 0;
  return operator === '<=' ? order <= 0 : order >= 0;
}
