import type { Context } from '../engine/operation.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { domainOf, isOwnDomain } from './keys.ts';
import { textOf } from './texts.ts';
import { aliasesOf, emailOf } from './user-rows.ts';

/**
 * Of the `emails` in a written body, those that are kept as they were written. A user's own addresses are not: they are
 * shown from where they are kept, so that a user who is read and written back stays the same.
 * @param written the body, with the primary address that the user has so far
 */
export function extraEmails(emails: readonly Json[], written: JsonObject, context: Context): Json[] {
  const own = new Set([emailOf(written), ...aliasesOf(written)]);
  return emails.filter(isObject).flatMap((sent) => {
    const entry = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'primary'));
    const address = textOf(entry, 'address').toLowerCase();
    const isOwn =
      own.has(address) || (isSameName(address, emailOf(written)) && isOwnDomain(domainOf(address), context));
    return isOwn ? [] : [entry];
  });
}

/** Whether two addresses differ in the domain only, as the same user's in an alias of the domain do. */
const isSameName = (a: string, b: string): boolean => a.split('@')[0] === b.split('@')[0];
