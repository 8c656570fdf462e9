import { extractEmailLocalPart } from '../../../../lib/email.ts';
import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { refuseSearch } from '../refusals.ts';
import { requireOwnDomain } from '../rows.ts';
import { isEmail, requireShortTexts } from '../schemas.ts';

/** Maximum lengths, in characters. */
const LIMITS = { name: 73, description: 4_096 } as const;

/** The address of a group, in lower case. @throws Refusal for one that is none, or in no domain of the tenant */
export function requireGroupAddress(body: JsonObject, context: Context): string {
  const email = getTextMember(body, 'email').toLowerCase();
  if (!isEmail(email)) throw vendorRefusals.invalidInput('email');
  requireOwnDomain(email, context);
  return email;
}

/** A group as it is stored: without a name it has that of its address. @throws Refusal 400 */
export function validateGroup(body: JsonObject): JsonObject {
  const { description = '', name, directMembersCount: _, ...rest } = body;
  const complete = { ...rest, name: name || extractEmailLocalPart(getTextMember(body, 'email')), description };
  requireShortTexts(complete, LIMITS);
  return complete;
}

/** What `query=` of groups.list asks for: every clause must hold. */
export type GroupQuery = {
  /** The address or id of a member: direct ones only. */
  memberKey?: string;
  clauses: readonly GroupClause[];
};
type GroupClause = { field: 'name' | 'email'; value: string; isPrefix: boolean };

/** Longest query and most clauses that are read. */
const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 10;
/** `name:'a b*'`, `email=x@example.com`, `memberKey=...`; in quotes, `\` keeps a quote from ending the value. */
const CLAUSE = /\s*(name|email|memberKey)\s*([:=])\s*(?:'((?:[^'\\]|\\.)*)'|([^\s']+))/y;

/** @throws Refusal 400 `Invalid Input: query` for anything that is no list of clauses */
export function parseGroupQuery(query: string): GroupQuery {
  if (query.length > MAX_QUERY_CHARS) throw refuseSearch();
  const parsed: { memberKey?: string; clauses: GroupClause[] } = { clauses: [] };
  const text = query.trimEnd();
  CLAUSE.lastIndex = 0;
  for (let count = 0; count < MAX_CLAUSES && CLAUSE.lastIndex < text.length; count++) {
    const match = CLAUSE.exec(text);
    if (match === null) throw refuseSearch();
    const [, field = '', operator, quoted, bare = ''] = match;
    const value = quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, '$1');
    if (field === 'memberKey') parsed.memberKey = value;
    else parsed.clauses.push(buildClause(field as GroupClause['field'], value, operator === ':'));
    if (CLAUSE.lastIndex === text.length) return parsed;
  }
  throw refuseSearch();
}

/** `:` finds values that begin so, with or without the star; `=` the same value. Case does not count. */
function buildClause(field: GroupClause['field'], value: string, isPrefix: boolean): GroupClause {
  const lower = value.toLowerCase();
  if (lower === '' || lower === '*') throw refuseSearch();
  return { field, value: isPrefix && lower.endsWith('*') ? lower.slice(0, -1) : lower, isPrefix };
}

const ROLES: readonly string[] = ['MANAGER', 'MEMBER', 'OWNER'];
const DELIVERY: readonly string[] = ['ALL_MAIL', 'DAILY', 'DIGEST', 'DISABLED', 'NONE'];

/** What is stored: role and delivery as sent, or as they are when nothing is said; the rest cannot be changed. */
export function buildMemberBody(sent: JsonObject, fixed: JsonObject): JsonObject {
  const role = (getTextMember(sent, 'role') || 'MEMBER').toUpperCase();
  const delivery = getTextMember(sent, 'delivery_settings') || 'ALL_MAIL';
  if (!ROLES.includes(role)) throw vendorRefusals.invalidInput('role');
  if (!DELIVERY.includes(delivery)) throw vendorRefusals.invalidInput('delivery_settings');
  return { ...fixed, role, delivery_settings: delivery };
}

/** The roles of `roles=OWNER,MANAGER`, sorted; undefined for all. @throws Refusal 400 for a word that is no role */
export function parseRoles(call: Call): string[] | undefined {
  const { roles } = call.query;
  if (!isText(roles) || roles === '') return undefined;
  const asked = new Set(roles.split(',', ROLES.length + 1).map((role) => role.trim().toUpperCase()));
  if ([...asked].some((role) => !ROLES.includes(role))) throw vendorRefusals.invalidInput('roles');
  return [...asked].toSorted();
}
