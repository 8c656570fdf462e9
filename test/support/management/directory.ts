import { isObject, isText, getMember, type JsonObject } from '../../../src/lib/json.ts';
import type { QueryValue } from '../../../src/management/core/engine/operation.ts';
import type { TestTenant } from './management.ts';

/** The list in an answer; empty where the answer has none. */
export function listed(answer: JsonObject, items: string): JsonObject[] {
  const value = getMember(answer, items);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The items of all pages of a list. @throws Error when they do not end */
export function allPages(
  tenant: TestTenant,
  method: string,
  items: string,
  sent: { path?: Record<string, string>; query?: Record<string, QueryValue> },
): JsonObject[] {
  const seen: JsonObject[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < 100; page++) {
    const query = { ...sent.query, ...(pageToken !== undefined && { pageToken }) };
    const answer = tenant.ok(method, { ...sent, query });
    seen.push(...listed(answer, items));
    const next = answer['nextPageToken'];
    if (!isText(next)) return seen;
    pageToken = next;
  }
  throw new Error('More than 100 pages');
}

/** A member of an answer that must be a text. @throws Error for anything else */
export function text(value: unknown): string {
  if (!isText(value)) throw new Error(`Not a text: ${JSON.stringify(value)}`);
  return value;
}

/** A new user with this address. @returns the id */
export function addUser(tenant: TestTenant, primaryEmail: string, more: JsonObject = {}): string {
  const body = {
    primaryEmail,
    password: 'correct horse battery',
    name: { givenName: 'Ann', familyName: 'Other' },
    ...more,
  };
  return text(tenant.ok('directory.users.insert', { body })['id']);
}

/** A new group with this address. @returns the id */
export const addGroup = (tenant: TestTenant, email: string): string =>
  text(tenant.ok('directory.groups.insert', { body: { email } })['id']);
