import { clientRow, clientRowKey } from '../oauth/kv-facade.ts';
import type { StoreTools } from '../oauth/rows.ts';

/** Written for each registration by versions whose client ids were not sealed: such a client died after a day. */
const UNUSED = 'own:client:unused:';
/** Life of a used client, renewed by the provider library while its tokens are. */
export const USED_CLIENT_S = 90 * 86_400;

type StoredClient = { value: string };

/** Makes a client that an earlier version registered, and that nobody had consented to, one that lives on. */
export function markUsed({ rows, now }: Pick<StoreTools, 'rows' | 'now'>, clientId: string): void {
  const row = rows.get<StoredClient>(clientRowKey(clientId));
  if (row === undefined || rows.get(UNUSED + clientId) === undefined) return;
  const client = JSON.parse(row.value) as object; // Written by the provider library.
  const endsAtMs = now() + USED_CLIENT_S * 1000;
  const registrationExpiresAt = Math.floor(endsAtMs / 1000);
  rows.put(clientRowKey(clientId), clientRow({ ...client, registrationExpiresAt }), endsAtMs);
  rows.delete(UNUSED + clientId);
}
