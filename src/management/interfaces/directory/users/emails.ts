import type { Context } from '../../../core/engine/operation.ts';
import { isObject, type Json } from '../../../../lib/json.ts';
import { derivedAddresses } from '../customers/alias-domains.ts';
import { textOf } from '../texts.ts';

/**
 * Of the `emails` in a written body, those that are kept as they were written. A user's own addresses are not: they are
 * shown from where they are kept, so that a user who is read and written back stays the same.
 * @param addresses all that the user has and gets, primary and alias
 */
export function extraEmails(emails: readonly Json[], addresses: readonly string[], context: Context): Json[] {
  const own = new Set(addresses.flatMap((address) => [address, ...derivedAddresses(address, context)]));
  return emails.filter(isObject).flatMap((sent) => {
    const entry = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'primary'));
    const address = textOf(entry, 'address').toLowerCase();
    return own.has(address) ? [] : [entry];
  });
}
