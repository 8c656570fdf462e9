import type { Context } from '../../core/engine/operation.ts';
import { isText, type Json } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** @throws Refusal, ABORTED, where a body names another version than the one of this revision (AIP-134) */
export function requireQuotaEtag(revision: number, given: Json | undefined, context: Context): void {
  if (!isText(given) || given === '') return;
  const current = context.etagOf(revision);
  // The part after the dot depends on how the resource was shown.
  if (given === current || given.startsWith(`${current.slice(0, -1)}.`)) return;
  throw vendorRefusals.aborted('The etag does not match: the resource was changed meanwhile');
}
